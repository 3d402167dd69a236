import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createApp } from "#server/app.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";

const baseUrl = "https://cards.example";

/** The app at an https address, with one built script among its assets. */
async function openApp(env: Record<string, string> = {}) {
  const product = await createTestApp({
    env: { BASE_URL: baseUrl, DEMO: "on", SMTP_URL: "smtp://127.0.0.1:9", ...env },
  });
  const folder = mkdtempSync(join(tmpdir(), "meishi-built-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "assets/app-1234.js"), "export {};");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = await createApp(product.services, { assets: folder });
  return { visitor: () => createVisitor(app, baseUrl) };
}

test("security headers are set on pages, files and errors, rendered or from the cache", async () => {
  const { visitor } = await openApp();
  for (const [path, status] of [
    ["/assets/app-1234.js", 200],
    ["/assets/none.js", 404],
    ["/files/avatars/none.webp", 404],
    ["/card/demo-card", 200],
    ["/pricing", 200],
    ["/nowhere", 404],
    ["/sw.js", 200],
    ["/manifest.webmanifest", 200],
    ["/robots.txt", 200],
    ["/avatar/ada.svg", 200],
    ["/avatar/ada.json", 200],
    ["/card/demo-card/qr.svg", 200],
    ["/card/demo-card/contact.vcf", 200],
    ["/healthz", 200],
  ] as const) {
    for (const round of [1, 2]) {
      const { status: found, headers } = await visitor().get(path);
      expect(found, `${path}, round ${round}`).toBe(status);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
  }
  const refused = [
    await visitor().request("/auth", { method: "PUT" }),
    await visitor().post("/auth", {}, { origin: "https://evil.example" }),
    await visitor().post("/auth", { email: "a".repeat(200_000) }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([405, 403, 413]);
  for (const { headers } of refused) expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("HSTS includes subdomains when the operator says so", async () => {
  const { visitor } = await openApp({ HSTS_SUBDOMAINS: "on" });
  for (const path of ["/card/demo-card", "/assets/app-1234.js"]) {
    const { headers } = await visitor().get(path);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  }
});

test("a response that deletes a cookie is not stored by a shared cache", async () => {
  const { visitor } = await openApp();
  const headers = { cookie: "__Host-meishi.session_token=made-up" };
  for (const path of ["/contact", "/nowhere"]) {
    const response = await visitor().request(path, { headers });
    expect(response.headers.getSetCookie().join(), path).toContain("Max-Age=0");
    expect(response.headers.get("cache-control"), path).toBe("private, no-cache");
  }
});

test("a user's pages are not stored by a shared cache, and own JSON and PDF by none", async () => {
  const { signedIn } = await createTestApp({ env: { DEMO: "on" } });
  const ada = await signedIn();
  const profile = `/u/${await userIdOf(ada)}`;
  const cardId = await makeCard(ada);
  for (const path of [`/share/card/${cardId}/print.pdf`, "/profile.data", "/share/profile.data", "/avatar/save"]) {
    const { status, headers } = await ada.get(path);
    expect(status, path).toBe(200);
    expect(headers.get("cache-control"), path).toContain("no-store");
  }
  const removed = await ada.post("/uploads/banner/remove", {});
  expect(removed.headers.get("cache-control")).toBe("no-store");
  const pages = ["/", "/pricing", profile, "/u/demo-user", "/card/demo-card", "/profile", "/cards/edit", "/nowhere"];
  for (const path of pages) {
    const { headers } = await ada.get(path);
    expect(headers.get("cache-control"), path).toMatch(/no-store|private/);
  }
});
