import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { sitePages } from "#app/features/crawlers/sitemap.ts";
import { environment } from "#app/services/config/config.server.ts";
import { rasterize } from "#app/services/images/sharp.server.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const origin = "https://meishi.example";

async function open() {
  const env = { BASE_URL: origin, SMTP_URL: "smtp://localhost:1", DEMO: "on" };
  const { visitor, dataDir } = await createTestApp({ env });
  return { get: (path: string) => visitor().get(path), visitor, dataDir };
}

test("robots.txt names the sitemap, and forbids only what leads crawlers to the sign-in page", async () => {
  const { get } = await open();
  const response = await get("/robots.txt");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const lines = (await response.text()).trimEnd().split("\n");
  // RFC 9309 §2.2: a group starts with its user agent; every line is a name, a colon and a value.
  expect(lines[0]).toBe("User-agent: *");
  expect(lines.filter((line) => line !== "" && !/^(User-agent|Allow|Disallow|Sitemap): \S+$/.test(line))).toEqual([]);
  expect(lines).toContain(`Sitemap: ${origin}/sitemap.xml`);
  const forbidden = lines.flatMap((line) => (line.startsWith("Disallow: ") ? [line.slice("Disallow: ".length)] : []));
  // A search engine must read the pages with noindex.
  const pages = ["/u/demo-user", "/card/demo-card", "/preview.png", "/auth", "/forgot-password", "/signup"];
  for (const path of [...sitePages, ...pages, "/avatar/ada.svg", "/assets/x.js", "/sitemap.xml", "/favicon.ico"])
    expect(forbidden.filter((start) => path.startsWith(start))).toEqual([]);
  for (const start of forbidden) {
    const path = start.endsWith("/") ? `${start}${start.includes("card") ? "edit" : "profile"}` : start;
    expect((await get(path)).headers.get("location"), path).toMatch(/^\/auth\?returnTo=/);
  }
});

describe("the manifest", () => {
  test("is installable on a phone, with icons and addresses that exist", async () => {
    const { get } = await open();
    const response = await get("/manifest.webmanifest");
    expect(response.headers.get("content-type")).toContain("application/manifest+json");
    const manifest = await response.json();
    const names = { name: "Meishi", short_name: "Meishi", lang: "en" };
    expect(manifest).toMatchObject({ ...names, start_url: "/home", scope: "/", display: "standalone" });
    for (const color of [manifest.theme_color, manifest.background_color]) expect(color).toMatch(/^#[0-9a-f]{6}$/);
    // Chromium requires 192 and 512 pixels, and a maskable icon.
    for (const purpose of ["any", "maskable"]) {
      const icons = manifest.icons.filter((icon: { purpose: string }) => icon.purpose === purpose);
      expect(icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(["192x192", "512x512"]);
    }
    for (const { src, sizes, type } of manifest.icons) {
      const icon = await get(src);
      expect(icon.headers.get("content-type")).toBe(type);
      expect(icon.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const { width, height } = await sharp(await icon.arrayBuffer()).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    expect(manifest.shortcuts[0]).toMatchObject({ name: "My QR", url: "/my-qr" });
    for (const { name, url } of manifest.shortcuts) {
      const signedOut = await get(url);
      if (name === "My QR") expect(await signedOut.text()).toContain('href="/auth?returnTo=%2Fmy-qr"');
      else expect(signedOut.headers.get("location")).toMatch(/^\/auth\?returnTo=/);
    }
    expect((await get(manifest.start_url)).headers.get("location")).toBe("/auth?returnTo=%2Fhome");
  });

  test("is linked by every page except the public ones", async () => {
    const { get } = await open();
    for (const path of ["/", "/pricing", "/auth", "/forgot-password"]) {
      const { links } = await readHead(await get(path));
      expect(links, path).toContainEqual({ rel: "manifest", href: "/manifest.webmanifest" });
      expect(links, path).toContainEqual({ rel: "apple-touch-icon", href: "/apple-touch-icon.png" });
    }
    for (const path of ["/u/demo-user", "/card/demo-card", "/u/nobody"]) {
      const rels = (await readHead(await get(path))).links.map(({ rel }) => rel);
      expect([path, rels.filter((rel) => rel === "manifest" || rel === "apple-touch-icon")]).toEqual([path, []]);
    }
  });
});

describe("the icon", () => {
  test("keeps the drawing in the safe zone and fills the square", async () => {
    const { get } = await open();
    for (const side of [192, 512]) {
      const { data, info } = await pixels(await get(`/icons/mask-${side}.png?v=1`));
      expect(opaqueShare(data)).toBe(1);
      let farthest = 0;
      for (let at = 0; at < data.length; at += info.channels) {
        const [x, y] = [(at / info.channels) % side, Math.floor(at / info.channels / side)];
        // Paper, not the seal's red.
        if ((data[at + 2] ?? 0) > 120)
          farthest = Math.max(farthest, Math.hypot(x + 0.5 - side / 2, y + 0.5 - side / 2));
      }
      expect(farthest / side).toBeGreaterThan(0.2);
      expect(farthest / side).toBeLessThan(0.4);
    }
  });

  test("is opaque on an iPhone's home screen, and an SVG with rounded corners that loads nothing in a tab", async () => {
    const { get } = await open();
    for (const path of ["/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"]) {
      const { data, info } = await pixels(await get(path));
      expect([info.width, info.height, opaqueShare(data)]).toEqual([180, 180, 1]);
    }
    const response = await get("/favicon.svg");
    expect(response.headers.get("content-type")).toContain("image/svg+xml");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const { data } = await pixels(new Response(new Uint8Array(await rasterize(await response.text(), { width: 64 }))));
    expect(opaqueShare(data)).toBeGreaterThan(0.9);
    expect(opaqueShare(data)).toBeLessThan(1);
  });

  test.skipIf(!hasImageMagick())("of a tab is an .ico in which ImageMagick finds 16, 32 and 48 pixels", async () => {
    const { get, dataDir } = await open();
    const file = join(dataDir, "favicon.ico");
    writeFileSync(file, Buffer.from(await (await get("/favicon.ico")).arrayBuffer()));
    const found = execFileSync("identify", ["-format", "%m %wx%h\n", file], { encoding: "utf8" }).trim().split("\n");
    expect(found).toEqual(["PNG 16x16", "PNG 32x32", "PNG 48x48"]);
  });

  test("is cached for a long time and revalidated by its ETag, and other files don't exist", async () => {
    const { get, visitor } = await open();
    const first = await get("/favicon.ico");
    expect(first.headers.get("cache-control")).toBe("public, max-age=604800");
    const known = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await visitor().get("/favicon.ico", known)).status).toBe(304);
    for (const path of ["/icons/513.png", "/icons/..%2f192.png", "/icons/192.PNG"])
      expect((await get(path)).status, path).toBe(404);
    for (const path of ["/favicon.ico", "/robots.txt", "/sitemap.xml", "/manifest.webmanifest", "/preview.png"]) {
      expect((await visitor().request(path, { method: "POST", headers: { origin } })).status, path).toBe(405);
      expect((await visitor().request(path, { method: "HEAD" })).status, path).toBe(200);
    }
  });
});

test("the preview image of the site is a PNG of 1200 x 630", async () => {
  const { get } = await open();
  const { metas } = await readHead(await get("/pricing"));
  const address = metas["og:image"] ?? "";
  expect(address).toMatch(/^https:\/\/meishi\.example\/preview\.png\?v=\d+$/);
  const body = await (await get(address.slice(origin.length))).arrayBuffer();
  expect(await sharp(body).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
  expect(body.byteLength).toBeLessThan(100_000);
});

function hasImageMagick(): boolean {
  const folders = (environment().PATH ?? "").split(":").filter(Boolean);
  return folders.some((folder) => existsSync(join(folder, "identify")));
}

async function pixels(response: Response) {
  expect(response.status).toBe(200);
  return sharp(await response.arrayBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
}

function opaqueShare(data: Buffer): number {
  const alphas = data.filter((_, at) => at % 4 === 3);
  return alphas.filter((alpha) => alpha === 255).length / alphas.length;
}
