import { describe, expect, test } from "vitest";

import { createTestApp } from "#tests/support/test-app.ts";

import { createApp, pagesOf } from "./app.ts";

const baseUrl = "http://localhost:3000";

async function openSite() {
  const product = await createTestApp();
  const pages = pagesOf(product.services);
  const app = await createApp(product.services, { pages });
  const ask = async (path: string, cookie = "") => {
    const answer = await app.request(baseUrl + path, { headers: cookie ? { cookie } : {} });
    return { html: await answer.text(), headers: answer.headers, id: answer.headers.get("etag") };
  };
  return { ...product, pages, ask };
}

const modeOf = (html: string) => /<html[^>]* data-mode="(\w+)"/.exec(html)?.[1];

describe("a page of the site itself", () => {
  test("is kept once for each theme, and each reader gets their own", async () => {
    const { ask, pages } = await openSite();
    for (const round of [1, 2])
      for (const theme of ["dark", "light", "system"])
        expect(modeOf((await ask("/pricing", `theme=${theme}`)).html), `round ${round}`).toBe(theme);
    expect(modeOf((await ask("/pricing")).html)).toBe("dark");
    expect(modeOf((await ask("/pricing", "theme=blue")).html)).toBe("dark");
    expect(pages.size().pages).toBe(3);
  });

  test("is made fresh when the query asks it for something else, and kept whatever else the query says", async () => {
    const { ask, pages } = await openSite();
    const kept = await ask("/");
    expect((await ask("/?utm_source=letter")).id).toBe(kept.id);
    expect((await ask("/?screen=none")).id).toBeNull();
    expect(pages.size().pages).toBe(1);
  });

  test("shows a message that waits for one person to that person alone, once", async () => {
    const { ask } = await openSite();
    await ask("/pricing");
    const toast = Buffer.from(JSON.stringify({ title: "For you alone", tone: "info" })).toString("base64url");
    const own = await ask("/pricing", `meishi.toast=${toast}`);
    expect(own.html).toContain("For you alone");
    expect(own.headers.get("set-cookie")).toContain("meishi.toast=;");
    expect((await ask("/pricing")).html).not.toContain("For you alone");
  });

  test("is never another person's: with a session it is made fresh", async () => {
    const { ask, pages } = await openSite();
    await ask("/pricing", "meishi.session_token=some");
    expect(pages.size().pages).toBe(0);
  });

  test("names its inline scripts in its policy by their hashes, and has no nonce to be reused", async () => {
    const { html, headers } = await openSite().then(({ ask }) => ask("/"));
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-/);
    expect(headers.get("content-security-policy")).not.toMatch(/nonce|unsafe/);
    expect(html).not.toMatch(/nonce="\w/);
  });

  test("counts no visits: they are nobody's", async () => {
    const { ask, services } = await openSite();
    await ask("/");
    await ask("/");
    await services.counter.flush();
    expect(await services.db.selectFrom("tally").selectAll().execute()).toEqual([]);
  });
});
