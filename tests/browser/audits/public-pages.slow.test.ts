import { describe, expect, test } from "vitest";

import { publicPages } from "#tests/support/app/public-pages.ts";
import { desktop, openSite, phone } from "#tests/support/browser/site.ts";

const site = openSite();

describe("every public page", () => {
  test.for([
    ["a phone", phone],
    ["a desktop", desktop],
  ] as const)(
    "requests no other host, even when scrolled to the end, on %s",
    { timeout: 120_000 },
    async ([, device]) => {
      const { page, requests } = await site.open(device);
      for (const path of Object.keys(publicPages)) {
        requests.length = 0;
        await page.goto(path);
        await page.evaluate(scrollToEnd);
        await page.waitForLoadState("networkidle");
        expect(
          requests.filter((url) => !url.startsWith(`${site.url}/`)),
          path,
        ).toEqual([]);
      }
    },
  );

  test(
    "works without script: full text, working forms, one main heading, no request for script",
    { timeout: 120_000 },
    async () => {
      const { page, requests } = await site.open({ ...phone, javaScriptEnabled: false });
      for (const path of Object.keys(publicPages)) {
        requests.length = 0;
        await page.goto(path);
        expect.soft(await page.locator("h1").first().isVisible(), path).toBe(true);
        expect
          .soft(
            requests.filter((url) => url.endsWith(".js")),
            path,
          )
          .toEqual([]);
        // A form that can't be submitted is not rendered.
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
      }
    },
  );
});

/** Runs in the page. */
async function scrollToEnd() {
  for (let top = 0; top < document.documentElement.scrollHeight; top += 600) {
    scrollTo({ top, behavior: "instant" });
    // Chromium may draw no frame for a tab that it takes for hidden, and a promise in a page has no timeout.
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 200))]);
  }
}
