import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

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
  return { ...product, visitor: () => createVisitor(app, baseUrl) };
}

describe("security headers", () => {
  test.each([
    ["a built script", "/assets/app-1234.js", 200],
    ["an asset that doesn't exist", "/assets/none.js", 404],
    ["a stored file that doesn't exist", "/files/avatars/none.webp", 404],
    ["a page from the cache", "/card/demo-card", 200],
    ["a page of the site", "/pricing", 200],
    ["an unknown path", "/nowhere", 404],
    ["the service worker", "/sw.js", 200],
    ["the manifest", "/manifest.webmanifest", 200],
    ["robots.txt", "/robots.txt", 200],
    ["a generated avatar", "/avatar/ada.svg", 200],
    ["a generated avatar as JSON", "/avatar/ada.json", 200],
    ["a QR code", "/card/demo-card/qr.svg", 200],
    ["the contact file", "/card/demo-card/contact.vcf", 200],
    ["the health check", "/healthz", 200],
  ])("are set on %s", async (_, path, status) => {
    const { visitor } = await openApp();
    for (const round of [1, 2]) {
      const { status: found, headers } = await visitor().get(path);
      expect(found, `round ${round}`).toBe(status);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    }
  });

  test("are set on refused requests", async () => {
    const { visitor } = await openApp();
    const refused = [
      await visitor().request("/auth", { method: "PUT" }),
      await visitor().post("/auth", {}, { origin: "https://evil.example" }),
      await visitor().post("/auth", { email: "a".repeat(200_000) }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([405, 403, 413]);
    for (const { headers } of refused)
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  test("include subdomains in HSTS when the operator says so", async () => {
    const { visitor } = await openApp({ HSTS_SUBDOMAINS: "on" });
    for (const path of ["/card/demo-card", "/assets/app-1234.js"]) {
      const { headers } = await visitor().get(path);
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    }
  });
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

test("a user's own JSON and PDF are not stored by any cache", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  await userIdOf(ada);
  const cardId = await makeCard(ada);
  const paths = [`/share/card/${cardId}/print.pdf`, "/profile.data", "/share/profile.data", "/avatar/save"];
  for (const path of paths) {
    const { status, headers } = await ada.get(path);
    expect(status, path).toBe(200);
    expect(headers.get("cache-control"), path).toContain("no-store");
  }
  const removed = await ada.post("/uploads/banner/remove", {});
  expect(removed.headers.get("cache-control")).toBe("no-store");
});
