import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { openOwnSite, phone, sharedSettings, openPage } from "#tests/support/browser/site.ts";
import { saveProfile, signUp } from "#tests/support/browser/users.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { gzipBytes } from "#tests/support/measurements.ts";
import { fillAccount } from "#tests/support/screens/accounts.ts";

/** With passes, which card pages link to. As by default without Ethereum wallets, which add a script to the page to sign in. */
const site = openOwnSite({ ...sharedSettings, ...walletSettings, WEB3_SIGN_IN: "off" });

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;
let full: { id: string; card: string; state: State };
let fresh: { id: string; state: State };
let brands: { id: string; state: State };

/** The brands with the largest drawings. */
const heaviest = `mastodon.social/@ada threads.net/@ada matrix.to/#/@ada:example.org pinterest.com/ada
  steamcommunity.com/id/ada soundcloud.com/ada discord.gg/ada dev.to/ada`.split(/\s+/);

beforeAll(async () => {
  const context = await site.openForAll();
  const { program } = site;
  full = { ...(await signUp(context, program, "full@example.com")), card: await fillAccount(site, context) };
  await context.clearCookies();
  brands = await signUp(context, program, "brands@example.com");
  await saveProfile(context, program, {
    displayName: "Ada Lovelace",
    bio: "Notes on the analytical engine, and on what it might one day be taught to compose.",
    links: heaviest.map((url) => ({ label: url.split("/")[0] ?? "", url })),
  });
  await context.clearCookies();
  fresh = await signUp(context, program, "fresh@example.com");
});

/** Public pages: the samples, and pages with every field filled in. */
const visitorPages = () => ["/u/demo-user", "/card/demo-card", `/u/${full.id}`, `/card/${full.card}`];

/** The sample has a drawn avatar. */
const isPhoto = (url: string) => url.includes("/files/avatars/");

describe("a visitor's page", () => {
  test("is one request besides its photo, with one deferred script of at most 2,000 bytes gzip, even when its panels open", async () => {
    const tab = await site.open(phone);
    for (const path of visitorPages()) {
      const { page, requests } = await site.openBeside(tab);
      const noted = await noteRequests();
      await page.goto(path);
      await openPanels(page);
      await untilIdle(page);
      expect(requests.filter((url) => !isPhoto(url))).toEqual([site.url + path]);
      // The server also sees requests that Playwright doesn't report, such as icons.
      expect((await noted()).filter((url) => !isPhoto(url))).toEqual([path]);
      const scripts = await page
        .locator("script:not([type='application/ld+json'])")
        .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      expect(scripts).toHaveLength(1);
      // Modules are deferred: they run after the page is parsed.
      expect(scripts[0]).toMatch(/^<script type="module">/);
      expect(gzipSync(scripts.join("")).length).toBeLessThanOrEqual(2_000);
      await page.close();
    }
  });

  test("is one request besides its photo without script, and for a signed-in stranger", async () => {
    for (const options of [{ javaScriptEnabled: false }, { storageState: fresh.state }]) {
      const tab = await site.open({ ...phone, ...options });
      for (const path of visitorPages()) {
        const { page, requests } = await site.openBeside(tab);
        await page.goto(path);
        await openPanels(page);
        if (!("javaScriptEnabled" in options)) await untilIdle(page);
        expect(requests.filter((url) => !isPhoto(url))).toEqual([site.url + path]);
        await page.close();
      }
    }
  });

  test("has at most 10 kB gzip on the wire, also for a signed-in stranger and with the eight largest brand icons", async () => {
    const cookie = fresh.state.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
    for (const path of [...visitorPages().slice(0, 2), `/u/${brands.id}`])
      expect(await gzipBytes(site.url + path), path).toBeLessThanOrEqual(10_000);
    for (const path of visitorPages())
      expect(await gzipBytes(site.url + path, { cookie }), path).toBeLessThanOrEqual(10_000);
  });
});

test("a page to sign in has one inline script of at most 2,000 bytes gzip, which its policy names", async () => {
  const { page, requests } = await site.open(phone);
  for (const path of ["/auth", "/auth?tab=signup", "/forgot-password"]) {
    const response = await page.goto(path);
    await untilIdle(page);
    const [script = "", ...others] = await page.locator("script").allTextContents();
    expect(others).toEqual([]);
    expect(gzipSync(script).length).toBeLessThanOrEqual(2_000);
    expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
    const hash = createHash("sha256").update(script).digest("base64");
    expect(response?.headers()["content-security-policy"]).toContain(`script-src 'sha256-${hash}';`);
  }
});

test("a signed-in user's page has at most 180 kB gzip of script on a first visit, and requests no other host", async () => {
  const sizes = new Map<string, Promise<number>>();
  for (const [person, path] of [
    [fresh, "/profile"],
    [fresh, "/cards/edit"],
    [brands, `/u/${brands.id}`],
    [full, `/cards/edit/${full.card}`],
    [fresh, "/share/profile"],
  ] as const) {
    const { page, requests, context } = await site.open({ ...phone, storageState: person.state });
    await openPage(page, path);
    await untilIdle(page);
    expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
    let sum = 0;
    for (const url of requests.filter((one) => new URL(one).pathname.endsWith(".js"))) {
      if (!sizes.has(url)) sizes.set(url, gzipBytes(url));
      sum += (await sizes.get(url)) ?? 0;
    }
    expect(sum, path).toBeGreaterThan(50_000);
    expect(sum, path).toBeLessThanOrEqual(180_000);
    if (person === brands) {
      // Hydrated without downloading any drawing.
      expect(requests.filter((url) => url.includes("/brands-"))).toEqual([]);
      const icons = page.locator(".cards .icon path");
      const drawings = await icons.evaluateAll((all) => all.map((icon) => icon.getAttribute("d")));
      expect([drawings.length, new Set(drawings).size]).toEqual([8, 8]);
    }
    await context.close();
  }
});

async function openPanels(page: Page) {
  for (const name of ["QR Code", "Share"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.keyboard.press("Escape");
  }
}

/** Waits until scripts that wait for a quiet moment have run, and what they import. */
async function untilIdle(page: Page) {
  await page.evaluate(async () => {
    for (let rounds = 0; rounds < 3; rounds++) await new Promise((resolve) => requestIdleCallback(resolve));
  });
}

/** The paths requested from now on, from the server's log. */
async function noteRequests() {
  const from = await mark();
  return async () => {
    const to = await mark();
    const paths = [...site.program.output().matchAll(/"method":"GET","path":"([^"]*)"/g)].map(([, path]) => path ?? "");
    return paths.slice(paths.indexOf(from) + 1, paths.indexOf(to));
  };
}

/** Writes a line to the log; when it appears, every earlier line has appeared. */
async function mark(): Promise<string> {
  const path = `/mark/${crypto.randomUUID()}`;
  await fetch(site.url + path);
  await expect.poll(() => site.program.output()).toContain(`"method":"GET","path":"${path}"`);
  return path;
}
