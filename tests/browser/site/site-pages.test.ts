import { describe, expect, test } from "vitest";

import { openSite } from "#tests/support/browser/site.ts";
import { readElements, readHead } from "#tests/support/app/responses.ts";
import { publicPages } from "#tests/support/app/public-pages.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";

const site = openSite();

const gated = [
  "/account",
  "/account/delete",
  "/account/connections",
  "/account/sessions",
  "/account/two-step",
  "/account/two-step/app",
  "/account/preferences",
  "/account/security-log",
  "/account/export",
  "/profile",
  "/analytics",
  "/cards/edit",
  "/cards/edit/none",
  "/cards/none/leads",
  "/cards/none/kiosk",
  "/cards/none/pass",
  "/leads",
  "/leads/new",
  "/leads/scan",
  "/leads/merge",
  "/leads/none",
  "/webhooks",
  "/webhooks/new",
  "/webhooks/none",
  "/webhooks/none/edit",
  "/webhooks/none/secret",
  "/webhooks/none/log/none",
  "/leads/notifications",
  "/share/profile",
  "/share/card/none",
  "/start/name",
  "/start/contact",
  "/start/live",
  "/pricing/subscribe",
  "/success",
];

const operatorPages = [
  "/admin/two-step",
  "/admin/users",
  "/admin/users/none",
  "/admin/billing",
  "/admin/log",
  "/admin/setup",
];

/** As a browser asks for a page. */
const headers = { accept: "text/html" };

describe("every page has a title and a description", () => {
  test.for(Object.entries(publicPages))("%s", async ([path, { title, status = 200, isListed = true, canonical }]) => {
    const response = await fetch(site.url + path, { headers });
    expect(response.status).toBe(status);
    const html = await response.clone().text();
    const head = await readHead(response);
    expect(head.titles).toEqual([title]);
    const headings = readElements(html).filter(({ tag }) => tag === "h1");
    expect(headings).toHaveLength(1);
    expect(head.isListed).toBe(isListed);
    if (!isListed) return;
    const [page = ""] = head.canonicals;
    expect(head.canonicals).toHaveLength(1);
    if (canonical) expect(page.replace(site.url, "")).toMatch(canonical);
    else expect(page).toBe(site.url + path);
    expect(head.metas["description"]?.length).toBeGreaterThan(40);
    expect(head.metas["og:title"]).toBeTruthy();
    expect(head.metas["og:description"]).toBeTruthy();
    expect(head.metas["og:url"]).toBe(page);
    expect(head.metas["twitter:card"]).toBe("summary_large_image");
    const picture = await fetch(head.metas["og:image"] ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test("that are unique", async () => {
    const heads = await Promise.all(
      Object.keys(publicPages).map(async (path) => ({
        path,
        head: await readHead(await fetch(site.url + path, { headers })),
      })),
    );
    const pages = new Map(heads.map(({ head }) => [head.canonicals.join(), { head }]));
    const listed = [...pages.values()].filter(({ head }) => head.isListed);
    for (const part of ["titles", "description"] as const) {
      const texts = listed.map(({ head }) => (part === "titles" ? head.titles.join() : head.metas["description"]));
      expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
    }
  });

  test("and the list matches the route table", () => {
    const known = new Set([
      ...Object.keys(publicPages),
      ...gated,
      ...operatorPages,
      // The sample's form is off: it leads to the card.
      "/card/demo-card/connect",
      "/auth/confirm",
      // Without a sign-in that waits for a second step it leads to the sign-in page.
      "/auth/verify",
      "/auth/with-passkey",
      // Wallets are off.
      "/auth/with-wallet",
      "/account/wallet",
      // A visitor has no sign-in to confirm.
      "/account/verify",
      "/account/email/restore",
      "/reset-password",
      "/dev/mail",
      "/dev/mail/nothing",
    ]);
    const table = listRoutes().filter(({ file }) => file.endsWith("-page.tsx"));
    const missing = table
      .map((route) => ({ ...route, path: fillParameters(route) }))
      .filter(({ path, file }) => !known.has(path) && !file.includes("not-found"));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

test.for(gated)("%s sends a visitor to the login page and back", async (path) => {
  const response = await fetch(site.url + path, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
});

test.for(operatorPages)("%s doesn't exist for a visitor", async (path) => {
  expect((await fetch(site.url + path)).status).toBe(404);
});

describe("every page", () => {
  test("links only to pages that exist", { timeout: 120_000 }, async () => {
    const targets = new Map<string, string>();
    for (const path of Object.keys(publicPages)) {
      const html = await (await fetch(site.url + path)).text();
      for (const { tag, attributes } of readElements(html)) {
        const target = attributes["href"] ?? attributes["action"];
        if (!target || target.startsWith("#") || !["a", "form", "link"].includes(tag)) continue;
        const url = new URL(target, site.url + path);
        if (url.origin === site.url && attributes["method"] !== "post") targets.set(url.href.replace(/#.*$/, ""), path);
      }
    }
    expect(targets.size).toBeGreaterThan(20);
    for (const [url, from] of targets) {
      const { status } = await fetch(url);
      expect.soft(status, `${url} on ${from}`).toBeLessThan(400);
    }
  });
});
