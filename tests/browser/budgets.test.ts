import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, test } from "vitest";

import { hydrated, openSite, phone } from "#tests/support/browser.ts";
import { gatherCast } from "#tests/support/cast.ts";
import type { Cast } from "#tests/support/cast.ts";
import { gzipBytes } from "#tests/support/wire-bytes.ts";

const site = openSite();
let cast: Cast;

beforeAll(async () => {
  cast = await gatherCast(site);
});

/** A visitor's pages: the sample, and as full as they get. */
function visitorPages(): string[] {
  const { id, card } = cast.people.full;
  return ["/u/demo-user", "/card/demo-card", `/u/${id}`, `/card/${card}`];
}

describe("a visitor's page", () => {
  test(
    "is one request, with script and without, and its panels ask for nothing more",
    { timeout: 120_000 },
    async () => {
      for (const javaScriptEnabled of [true, false]) {
        const tab = await site.open({ ...phone, javaScriptEnabled });
        const paths = javaScriptEnabled ? [...visitorPages(), "/no/such/page"] : visitorPages().slice(0, 2);
        for (const path of paths) {
          const { page, requests } = await site.openBeside(tab);
          const noted = await noteRequests();
          await page.goto(path, { waitUntil: "networkidle" });
          for (const name of ["QR Code", "Share"]) {
            const button = page.getByRole("button", { name, exact: true });
            if (path === "/no/such/page") continue;
            await button.click();
            await page.keyboard.press("Escape");
          }
          expect(requests).toEqual([site.url + path]);
          // The server knows as well of what a browser does not tell, such as an icon.
          expect(await noted()).toEqual([path]);
          await page.close();
        }
      }
    },
  );

  test("has at most 10 kB gzip on the wire", async () => {
    for (const path of visitorPages().slice(0, 2))
      expect(await gzipBytes(site.url + path), path).toBeLessThanOrEqual(10_000);
  });

  test("needs none of its script, which has at most 2,000 bytes gzip", async () => {
    const { page } = await site.open(phone);
    for (const path of visitorPages()) {
      await page.goto(path);
      const scripts = await page
        .locator("script:not([type='application/ld+json'])")
        .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
      expect(scripts).toHaveLength(1);
      // A module is deferred: it runs when everything can be read already.
      expect(scripts[0]).toMatch(/^<script type="module">/);
      expect(gzipSync(scripts.join("")).length).toBeLessThanOrEqual(2_000);
    }
  });
});

describe("a signed-in person's page", () => {
  test.for(["/profile", "/cards/edit", "/u/own", "/cards/edit/own", "/share/profile"])(
    "%s has at most 150 kB gzip of script on a first visit",
    async (path) => {
      const { fresh, full } = cast.people;
      const person = path === "/cards/edit/own" ? full : fresh;
      const { page, requests } = await site.open({ ...phone, storageState: person.state });
      await page.goto(path.replace("own", path.startsWith("/u/") ? person.id : person.card), {
        waitUntil: "networkidle",
      });
      await hydrated(page);
      const scripts = requests.map((url) => new URL(url).pathname).filter((file) => file.endsWith(".js"));
      const sizes = await Promise.all(scripts.map((path) => gzipBytes(site.url + path)));
      const sum = sizes.reduce((sum, bytes) => sum + bytes, 0);
      expect(sum).toBeGreaterThan(50_000);
      expect(sum).toBeLessThanOrEqual(150_000);
    },
  );

  test("asks no other host for anything", async () => {
    const { page, requests } = await site.open({ ...phone, storageState: cast.people.full.state });
    const own = `/u/${cast.people.full.id}`;
    for (const path of ["/", "/pricing", "/profile", `/cards/edit/${cast.people.full.card}`, own, "/u/demo-user"]) {
      await page.goto(path);
    }
    expect(requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
  });
});

test("a breach of the CSP would not go unseen by these tests", async () => {
  const { page, complaints } = await site.open(phone);
  await page.goto("/card/demo-card");
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<p style="color: red">'));
  await expect.poll(() => complaints.splice(0).join()).toContain("Content Security Policy");
});

/** The paths that the server is asked for from now on, by its own log. */
async function noteRequests() {
  const from = await mark();
  return async () => {
    const to = await mark();
    const paths = [...site.program.output().matchAll(/"method":"GET","path":"([^"]*)"/g)].map(([, path]) => path ?? "");
    return paths.slice(paths.indexOf(from) + 1, paths.indexOf(to));
  };
}

/** Leaves a line in the log; once it is there, so is everything before it. */
async function mark(): Promise<string> {
  const path = `/mark/${crypto.randomUUID()}`;
  await fetch(site.url + path);
  await expect.poll(() => site.program.output()).toContain(`"method":"GET","path":"${path}"`);
  return path;
}
