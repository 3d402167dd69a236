import { describe, expect, test } from "vitest";

import { createToastCookies, redirectWithToast } from "#app/services/http/toast.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { createApp, openPageCache } from "./app.ts";

const baseUrl = "http://localhost:3000";

async function openSite() {
  const product = await createTestApp();
  const pages = openPageCache(product.services);
  const app = await createApp(product.services, { pages });
  const load = async (path: string, cookie = "") => {
    const response = await app.request(baseUrl + path, { headers: cookie ? { cookie } : {} });
    return { html: await response.text(), headers: response.headers, id: response.headers.get("etag") };
  };
  return { ...product, pages, load };
}

const modeOf = (html: string) => /<html[^>]* data-mode="(\w+)"/.exec(html)?.[1];

describe("a page of the site itself", () => {
  test("is cached once per theme, and rendered when its query parameters load for something else", async () => {
    const { load, pages } = await openSite();
    for (const round of [1, 2])
      for (const theme of ["dark", "light", "system"])
        expect(modeOf((await load("/pricing", `theme=${theme}`)).html), `round ${round}`).toBe(theme);
    for (const cookie of ["", "theme=blue"]) expect(modeOf((await load("/pricing", cookie)).html)).toBe("dark");
    expect(pages.size().pages).toBe(3);
    const cached = await load("/");
    expect((await load("/?utm_source=letter")).id).toBe(cached.id);
    expect((await load("/?screen=none")).id).toBeNull();
    expect(pages.size().pages).toBe(4);
  });

  test("shows a toast once, to the browser that it was left for", async () => {
    const { load, services } = await openSite();
    await load("/pricing");
    const left = redirectWithToast("/pricing", { title: "For you alone", tone: "info" });
    const own = await load("/pricing", createToastCookies(services).takeCookie(left.headers)?.split(";")[0]);
    expect(own.html).toContain("For you alone");
    expect(own.headers.get("set-cookie")).toContain("meishi.toast=;");
    expect((await load("/pricing")).html).not.toContain("For you alone");
  });

  test("is rendered for a signed-in user each time", async () => {
    const { load, pages, signedIn } = await openSite();
    const ada = await signedIn();
    const cookie = [...ada.cookies].map((pair) => pair.join("=")).join("; ");
    const stored = pages.size().pages;
    expect((await load("/pricing", cookie)).html).toContain("You’re on Free");
    expect(pages.size().pages).toBe(stored);
  });

  test("names its inline scripts by hash in its policy, without a nonce, and counts no visits", async () => {
    const { load, services } = await openSite();
    const { html, headers } = await load("/");
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-/);
    expect(headers.get("content-security-policy")).not.toMatch(/nonce|unsafe/);
    expect(html).not.toMatch(/nonce="\w/);
    await load("/");
    await services.counter.flush();
    expect(await services.db.selectFrom("hourly_count").selectAll().execute()).toEqual([]);
  });
});
