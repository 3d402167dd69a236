import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createApp } from "#server/app.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { listForms } from "#tests/support/app/forms.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
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
      for (const text of ["frame-ancestors 'none'", "base-uri 'none'"]) expect(policy).toContain(text);
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
  const { ada } = await createSignedInApp({ env: { DEMO: "on" } });
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

test("every page is sent compressed to browsers that accept it, and uncompressed to others", async () => {
  const { visitor } = await createTestApp();
  const toast = { cookie: "meishi.toast=not-one-of-ours" };
  // Cached pages, rendered pages, and a cached one for a visitor with a toast.
  const paths = ["/", "/", "/pricing", "/u/demo-user", "/auth", "/nowhere", "/?screen=hero", "/pricing/"];
  for (const [path, headers] of [...paths.map((path) => [path, {}] as const), ["/", toast] as const]) {
    const small = await visitor().get(path, { "accept-encoding": "gzip", ...headers });
    expect(small.headers.get("content-encoding")).toBe("gzip");
    expect(small.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
    const text = await new Response(small.body?.pipeThrough(new DecompressionStream("gzip"))).text();
    expect(text).toContain("</html>");
    expect((await visitor().get(path)).headers.get("content-encoding")).toBeNull();
  }
});

const type = "application/x-www-form-urlencoded";

// Origins that resemble ours are tested in own-origin.test.ts.
test("rejects every form that isn't on our own page, without a change", async () => {
  const { ada, services, mails } = await createSignedInApp();
  await userIdOf(ada);
  const cardId = await makeCard(ada);
  const { db } = services;
  const stored = async () => [
    await db.selectFrom("profile").selectAll().execute(),
    await db.selectFrom("card").selectAll().execute(),
    await db.selectFrom("attempt").selectAll().execute(),
    await db.selectFrom("hourly_count").selectAll().execute(),
    (await mails()).length,
  ];
  const before = await stored();
  const expectRejected = async (path: string, headers: Record<string, string>, body: string) => {
    const response = await ada.request(path, { method: "POST", headers: { "content-type": type, ...headers }, body });
    expect(await textWith(403, response, `${path} ${JSON.stringify(headers)}`)).toContain(
      "didn't come from a page on this site",
    );
    expect(response.headers.getSetCookie()).toEqual([]);
  };
  const evil = { origin: "https://evil.example" };
  for (const { path, fields } of listForms(cardId))
    await expectRejected(path, evil, new URLSearchParams(fields).toString());
  const others: Record<string, string>[] = [
    evil,
    { origin: "null" },
    {},
    { origin: "localhost:3000" },
    { ...evil, referer: "http://localhost:3000/profile" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of others) {
    await expectRejected("/auth/sign-out", headers, "");
    await expectRejected("/count", headers, JSON.stringify({ subject: `card:${cardId}`, target: "x" }));
    await expectRejected(`/cards/edit/${cardId}.data`, headers, "company=Changed");
    await expectRejected("/profile.data", headers, "displayName=Changed");
  }
  expect(await stored()).toEqual(before);
  // Still signed in, because signing out is a form too.
  expect((await ada.get("/profile")).status).toBe(200);
});

test("accepts a form from our own page by Sec-Fetch-Site alone, as behind a proxy that sets Referrer-Policy", async () => {
  const { app } = await createTestApp();
  const body = "intent=log-in&email=ada@example.com&password=wrong";
  const ownPage = { "content-type": type, "sec-fetch-site": "same-origin" };
  for (const headers of [ownPage, { ...ownPage, origin: "null" }]) {
    for (const path of ["/auth", "/auth.data"]) {
      const response = await app.request(`http://localhost:3000${path}`, { method: "POST", headers, body });
      expect(await response.text(), path).toContain("Invalid email or password.");
    }
  }
});

test("accepts forms behind a proxy that terminates TLS, whatever Host it sends", async () => {
  const origin = "https://cards.example.com";
  const { app } = await createTestApp({ env: { BASE_URL: origin, SMTP_URL: "smtp://127.0.0.1:1" } });
  const body = "intent=log-in&email=ada@example.com&password=wrong";
  for (const host of ["cards.example.com", "127.0.0.1:3000", "meishi.internal:8080"]) {
    for (const path of ["/auth", "/auth.data"]) {
      const headers = { origin, "content-type": type, host };
      const response = await app.request(`http://${host}${path}`, { method: "POST", headers, body });
      expect(await response.text(), `${host}${path}`).toContain("Invalid email or password.");
    }
  }
});
