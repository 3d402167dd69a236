import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { openOwnSite, phone, sharedSettings, waitForHydration } from "#tests/support/browser/site.ts";
import { createScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { gzipBytes } from "#tests/support/measurements.ts";

/** With passes, which card pages link to. As by default without Ethereum wallets, which add a script to the page to sign in. */
const site = openOwnSite({ ...sharedSettings, ...walletSettings, WEB3_SIGN_IN: "off" });
let cast: ScreenAccounts;

beforeAll(async () => {
  cast = await createScreenAccounts(site);
});

/** Public pages: the samples, and pages with every field filled in. */
function visitorPages(): string[] {
  const { id, card } = cast.people.full;
  return ["/u/demo-user", "/card/demo-card", `/u/${id}`, `/card/${card}`];
}

/** The sample has a drawn face. */
const isPhoto = (url: string) => url.includes("/files/avatars/");

describe("a visitor's page", () => {
  test(
    "is one request besides its photo, with and without script, even when its panels open",
    { timeout: 120_000 },
    async () => {
      for (const javaScriptEnabled of [true, false]) {
        const tab = await site.open({ ...phone, javaScriptEnabled });
        const paths = javaScriptEnabled ? visitorPages() : visitorPages().slice(0, 2);
        for (const path of paths) {
          const { page, requests } = await site.openBeside(tab);
          const noted = await noteRequests();
          await page.goto(path, { waitUntil: "networkidle" });
          for (const name of ["QR Code", "Share"]) {
            const button = page.getByRole("button", { name, exact: true });
            await button.click();
            await page.keyboard.press("Escape");
          }
          expect(requests.filter((url) => !isPhoto(url))).toEqual([site.url + path]);
          // The server also sees requests that Playwright doesn't report, such as icons.
          expect((await noted()).filter((url) => !isPhoto(url))).toEqual([path]);
          await page.close();
        }
      }
    },
  );

  test(
    "is one request besides its photo for a signed-in stranger too, with at most 10 kB gzip",
    { timeout: 120_000 },
    async () => {
      const { state } = cast.people.fresh;
      const tab = await site.open({ ...phone, storageState: state });
      const cookie = state.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      for (const path of visitorPages()) {
        const { page, requests } = await site.openBeside(tab);
        await page.goto(path, { waitUntil: "networkidle" });
        expect(requests.filter((url) => !isPhoto(url))).toEqual([site.url + path]);
        expect(await gzipBytes(site.url + path, { cookie }), path).toBeLessThanOrEqual(10_000);
        await page.close();
      }
    },
  );

  test("has at most 10 kB gzip on the wire", async () => {
    for (const path of visitorPages().slice(0, 2))
      expect(await gzipBytes(site.url + path), path).toBeLessThanOrEqual(10_000);
  });

  test("has a deferred script of at most 2,000 bytes gzip", async () => {
    const { page } = await site.open(phone);
    for (const path of visitorPages()) {
      await page.goto(path);
      const scripts = await page
        .locator("script:not([type='application/ld+json'])")
        .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      expect(scripts).toHaveLength(1);
      // Modules are deferred: they run after the page is parsed.
      expect(scripts[0]).toMatch(/^<script type="module">/);
      expect(gzipSync(scripts.join("")).length).toBeLessThanOrEqual(2_000);
    }
  });
});

describe("a page to sign in", () => {
  test.for(["/auth", "/auth?tab=signup", "/forgot-password"])(
    "%s has one inline script of at most 2,000 bytes gzip, which its policy names",
    async (path) => {
      const { page, requests } = await site.open(phone);
      const response = await page.goto(path, { waitUntil: "networkidle" });
      const [script = "", ...others] = await page.locator("script").allTextContents();
      expect(others).toEqual([]);
      expect(gzipSync(script).length).toBeLessThanOrEqual(2_000);
      expect(requests.filter((url) => url.endsWith(".js"))).toEqual([]);
      const hash = createHash("sha256").update(script).digest("base64");
      expect(response?.headers()["content-security-policy"]).toContain(`script-src 'sha256-${hash}';`);
    },
  );
});

describe("a signed-in user's page", () => {
  test.for(["/profile", "/cards/edit", "/u/own", "/cards/edit/own", "/share/profile"])(
    "%s has at most 180 kB gzip of script on a first visit",
    async (path) => {
      const { fresh, full } = cast.people;
      const person = path === "/cards/edit/own" ? full : fresh;
      const { page, requests } = await site.open({ ...phone, storageState: person.state });
      await page.goto(path.replace("own", path.startsWith("/u/") ? person.id : person.card), {
        waitUntil: "networkidle",
      });
      await waitForHydration(page);
      const scripts = requests.map((url) => new URL(url).pathname).filter((file) => file.endsWith(".js"));
      const sizes = await Promise.all(scripts.map((path) => gzipBytes(site.url + path)));
      const sum = sizes.reduce((sum, bytes) => sum + bytes, 0);
      expect(sum).toBeGreaterThan(50_000);
      expect(sum).toBeLessThanOrEqual(180_000);
    },
  );

  test("requests no other host", async () => {
    const { page, requests } = await site.open({ ...phone, storageState: cast.people.full.state });
    const own = `/u/${cast.people.full.id}`;
    for (const path of ["/", "/pricing", "/profile", `/cards/edit/${cast.people.full.card}`, own, "/u/demo-user"]) {
      await page.goto(path);
    }
    expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
  });
});

test("these tests detect a CSP violation", async () => {
  const { page, consoleErrors } = await site.open(phone);
  await page.goto("/card/demo-card");
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<p style="color: red">'));
  await expect.poll(() => consoleErrors.splice(0).join()).toContain("Content Security Policy");
});

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
