import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

async function open(path: string) {
  const { visitor } = await createTestApp();
  const response = await visitor().get(path);
  return { status: response.status, html: await response.text() };
}

describe("the pricing page", () => {
  test("shows both plans with both prices, monthly first", async () => {
    const { html } = await open("/pricing");
    for (const text of ["Free", "Premium", "$0", "$7.99", "$80", "Save ~17%", "2 months free on yearly"])
      expect(html).toContain(text);
    expect(/<input[^>]*checked=""[^>]*>/.exec(html)?.[0]).toContain('value="monthly"');
  });

  test("leads each plan to sign-up, which keeps it", async () => {
    const { html } = await open("/pricing");
    expect(html).toContain('href="/signup?tier=free"');
    expect(html).toContain('href="/signup?tier=premium"');
  });

  test("offers nothing for sale that can't be bought yet", async () => {
    const { html } = await open("/pricing");
    expect(html).toContain("Premium isn&#x27;t available yet");
    expect(html).not.toMatch(/checkout|buy now|subscribe/i);
  });
});

describe("every page", () => {
  test("is sent compressed to browsers that accept it, and uncompressed to others", async () => {
    const { visitor } = await createTestApp();
    const waiting = { cookie: "meishi.toast=not-one-of-ours" };
    const kept = ["/", "/", "/pricing", "/u/demo-user"].map((path) => ({ path, headers: {} }));
    const fresh = ["/auth", "/nowhere", "/?screen=hero", "/pricing/"].map((path) => ({ path, headers: {} }));
    for (const { path, headers } of [...kept, ...fresh, { path: "/", headers: waiting }]) {
      const small = await visitor().get(path, { "accept-encoding": "gzip", ...headers });
      expect(small.headers.get("content-encoding")).toBe("gzip");
      expect(small.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
      const text = await new Response(small.body?.pipeThrough(new DecompressionStream("gzip"))).text();
      expect(text).toContain("</html>");
      expect((await visitor().get(path)).headers.get("content-encoding")).toBeNull();
    }
  });
});
