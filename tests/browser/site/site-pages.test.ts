import { expect, test } from "vitest";

import { pages, publicPages } from "#tests/support/app/pages.ts";
import { readElements, readHead } from "#tests/support/app/responses.ts";
import { listPageRoutes, matchesRoute } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const origin = "http://localhost:3000";

async function openAsVisitor(): Promise<Visitor> {
  const { visitor } = await createTestApp({ env: { DEMO: "on" } });
  return visitor();
}

test("every page of the route table is in tests/support/app/pages.ts", () => {
  const addresses = Object.keys(pages);
  const missing = listPageRoutes().filter((route) => !addresses.some((address) => matchesRoute(route, address)));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test("every public page has a title, one main heading, a description and a preview", async () => {
  const visitor = await openAsVisitor();
  const images = new Set<string>();
  const texts = new Map<string, string[]>();
  for (const { path, title, status, isListed, canonical } of publicPages) {
    const response = await visitor.get(path, { accept: "text/html" });
    expect(response.status, path).toBe(status);
    const headings = readElements(await response.clone().text()).filter(({ tag }) => tag === "h1");
    const { titles, canonicals, metas, ...head } = await readHead(response);
    const found = { headings: headings.length, titles, isListed: head.isListed };
    expect(found, path).toEqual({ headings: 1, titles: [title], isListed });
    if (!isListed) continue;
    const [page = ""] = canonicals;
    expect(canonicals, path).toHaveLength(1);
    if (canonical) expect(page.replace(origin, "")).toMatch(canonical);
    else expect(page).toBe(origin + path);
    expect(metas, path).toMatchObject({
      description: expect.stringMatching(/.{41,}/),
      "og:title": expect.stringMatching(/./),
      "og:description": expect.stringMatching(/./),
      "og:url": page,
      "og:image:width": "1200",
      "twitter:card": "summary_large_image",
    });
    texts.set(page, [title, metas["description"] ?? ""]);
    images.add(metas["og:image"] ?? "");
  }
  for (const url of images) {
    const image = await visitor.get(url.replace(origin, ""));
    expect([image.status, image.headers.get("content-type")], url).toEqual([200, "image/png"]);
  }
  const all = [...texts.values()].flat();
  expect(all.filter((text, at) => all.indexOf(text) !== at)).toEqual([]);
});

test("an owner's pages send a visitor to the login page and back, and an operator's don't exist", async () => {
  const visitor = await openAsVisitor();
  for (const [path, page] of Object.entries(pages)) {
    if (!("access" in page) || page.access === "some") continue;
    const { status, headers } = await visitor.get(path);
    const login = `/auth?${new URLSearchParams({ returnTo: path })}`;
    const expected = page.access === "owner" ? [302, login] : [404, null];
    expect([status, headers.get("location")], path).toEqual(expected);
  }
});

test("every public page links only to pages that exist", async () => {
  const visitor = await openAsVisitor();
  const targets = new Map<string, string>();
  for (const { path } of publicPages) {
    for (const { tag, attributes } of readElements(await (await visitor.get(path)).text())) {
      const target = attributes["href"] ?? attributes["action"];
      // Stylesheets and fonts come from the development server here.
      const isAsset = ["stylesheet", "preload"].includes(attributes["rel"] ?? "");
      if (!target || target.startsWith("#") || isAsset || !["a", "form", "link"].includes(tag)) continue;
      const url = new URL(target, origin + path);
      if (url.origin === origin && attributes["method"] !== "post") targets.set(url.pathname + url.search, path);
    }
  }
  expect(targets.size).toBeGreaterThan(20);
  for (const [path, from] of targets)
    expect.soft((await visitor.get(path)).status, `${path} on ${from}`).toBeLessThan(400);
});
