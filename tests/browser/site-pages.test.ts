import { describe, expect, test } from "vitest";

import { desktop, openSite, phone } from "#tests/support/browser.ts";
import { readElements, readHead } from "#tests/support/page-head.ts";
import { fillIn, listRoutes } from "#tests/support/route-table.ts";

const site = openSite();

type Expected = { title: string; status?: number; isListed?: boolean };

/** Every page that a visitor can open without an account, and what it says of itself. `isListed`: search engines may show it. */
const pages: Record<string, Expected> = {
  "/": { title: "One tap, endless connections | Meishi" },
  "/pricing": { title: "Pricing | Meishi" },
  "/docs": { title: "Documentation | Meishi" },
  "/security-overview": { title: "Security | Meishi" },
  "/status": { title: "Status | Meishi" },
  "/contact": { title: "Contact | Meishi" },
  "/privacy": { title: "Privacy | Meishi" },
  "/terms": { title: "Terms | Meishi" },
  "/credits": { title: "Credits | Meishi" },
  "/auth": { title: "Login | Meishi" },
  "/cancel": { title: "Checkout canceled | Meishi", isListed: false },
  "/auth/demo": { title: "Auth demo | Meishi", isListed: false },
  "/forgot-password": { title: "Forgot your password? | Meishi", isListed: false },
  "/u/demo-user": { title: "Demo User | Professional Profile" },
  "/card/demo-card": { title: "Demo User | Business Card" },
  "/no/such/page": { title: "Oops! Page not found | Meishi", status: 404, isListed: false },
  "/u/nobody": { title: "Profile Not Found", status: 404, isListed: false },
  "/card/none": { title: "Card Not Found", status: 404, isListed: false },
  "/u/demo-user/resume": { title: "Failed to view resume", status: 404, isListed: false },
};

const gated = [
  "/account",
  "/account/delete",
  "/profile",
  "/cards/edit",
  "/cards/edit/none",
  "/share/profile",
  "/share/card/none",
  "/success",
];

describe("every page says what it is", () => {
  test.for(Object.entries(pages))("%s", async ([path, { title, status = 200, isListed = true }]) => {
    const answer = await fetch(site.url + path);
    expect(answer.status).toBe(status);
    const html = await answer.clone().text();
    const head = await readHead(answer);
    expect(head.titles).toEqual([title]);
    const headings = readElements(html).filter(({ tag }) => tag === "h1");
    expect(headings).toHaveLength(1);
    expect(head.isListed).toBe(isListed);
    if (!isListed) return;
    expect(head.canonicals).toEqual([site.url + path]);
    expect(head.metas["description"]?.length).toBeGreaterThan(40);
    expect(head.metas["og:title"]).toBeTruthy();
    expect(head.metas["og:description"]).toBeTruthy();
    expect(head.metas["og:url"]).toBe(site.url + path);
    expect(head.metas["twitter:card"]).toBe("summary_large_image");
    const picture = await fetch(head.metas["og:image"] ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  test("in words that no other page has", async () => {
    const heads = await Promise.all(
      Object.keys(pages).map(async (path) => ({ path, head: await readHead(await fetch(site.url + path)) })),
    );
    const listed = heads.filter(({ head }) => head.isListed);
    for (const say of ["titles", "description"] as const) {
      const texts = listed.map(({ head }) => (say === "titles" ? head.titles.join() : head.metas["description"]));
      expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
    }
  });

  test("and the list of them is the route table's", () => {
    const known = new Set([...Object.keys(pages), ...gated, "/reset-password", "/dev/mail", "/dev/mail/nothing"]);
    const table = listRoutes().filter(({ file }) => file.endsWith("-page.tsx"));
    const missing = table
      .map((route) => ({ ...route, path: fillIn(route) }))
      .filter(({ path, file }) => !known.has(path) && !file.includes("not-found"));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

test.for(gated)("%s leads a visitor to the login page, and from there back", async (path) => {
  const answer = await fetch(site.url + path, { redirect: "manual" });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
});

describe("every page", () => {
  test.for([
    ["a phone", phone],
    ["a desktop", desktop],
  ] as const)(
    "asks no other host for anything, be it scrolled to its end, on %s",
    { timeout: 120_000 },
    async ([, device]) => {
      const tab = await site.open(device);
      for (const path of Object.keys(pages)) {
        const { page, requests } = await site.openBeside(tab);
        await page.goto(path);
        await page.evaluate(async () => {
          for (let top = 0; top < document.documentElement.scrollHeight; top += 600) {
            scrollTo({ top, behavior: "instant" });
            await new Promise(requestAnimationFrame);
          }
        });
        await page.waitForLoadState("networkidle");
        expect(
          requests.filter((url) => !url.startsWith(`${site.url}/`)),
          path,
        ).toEqual([]);
        await page.close();
      }
    },
  );

  test("leads only to what is there", { timeout: 120_000 }, async () => {
    const targets = new Map<string, string>();
    for (const path of Object.keys(pages)) {
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

  test(
    "works without script: all its words, forms that can be sent, one heading, no message that asks for script",
    { timeout: 120_000 },
    async () => {
      const tab = await site.open({ ...phone, javaScriptEnabled: false });
      for (const path of Object.keys(pages)) {
        const { page, requests } = await site.openBeside(tab);
        await page.goto(path);
        expect.soft(await page.locator("h1").first().isVisible(), path).toBe(true);
        expect
          .soft(
            requests.filter((url) => url.endsWith(".js")),
            path,
          )
          .toEqual([]);
        // A form without a way to send it says so by not being there.
        const dead = await page.locator("form").evaluateAll((forms) =>
          forms
            .filter((form) => form.checkVisibility())
            .filter(
              (form) =>
                (form as HTMLFormElement).querySelector("button:not([type=button]), input[type=submit]") === null,
            )
            .map((form) => form.outerHTML.slice(0, 160)),
        );
        expect.soft(dead, path).toEqual([]);
        await page.close();
      }
    },
  );
});
