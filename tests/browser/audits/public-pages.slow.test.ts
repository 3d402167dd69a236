import { expect, test } from "vitest";

import { publicPages } from "#tests/support/app/pages.ts";
import { desktop, openSite, phone } from "#tests/support/browser/site.ts";

const site = openSite();

test("every public page requests no other host and shows all its images, even when scrolled to the end", async () => {
  const { page, requests } = await site.open(phone);
  for (const { path } of publicPages) {
    requests.length = 0;
    for (const { viewport } of [phone, desktop]) {
      await page.setViewportSize(viewport);
      if (viewport === phone.viewport) await page.goto(path);
      await page.evaluate(scrollToEnd);
    }
    await expect.poll(() => page.evaluate(listMissingImages), { message: path }).toEqual([]);
    const foreign = requests.filter((url) => !url.startsWith(`${site.url}/`));
    expect(foreign, path).toEqual([]);
  }
});

test("every public page works without script: full text, working forms, one main heading, no request for script", async () => {
  const { page, requests } = await site.open({ ...phone, javaScriptEnabled: false });
  for (const { path } of publicPages) {
    requests.length = 0;
    await page.goto(path);
    expect.soft(await page.locator("h1").first().isVisible(), path).toBe(true);
    const scripts = requests.filter((url) => url.endsWith(".js"));
    expect.soft(scripts, path).toEqual([]);
    // A form that can't be submitted is not rendered.
    const forms = page.locator("form:visible").filter({ hasNot: page.locator(submitButton) });
    expect.soft(await forms.count(), path).toBe(0);
  }
});

const submitButton = "button:not([type=button]), input[type=submit]";

/** Runs in the page. */
async function scrollToEnd() {
  for (let top = 0; top < document.documentElement.scrollHeight; top += 600) {
    scrollTo({ top, behavior: "instant" });
    // Chromium may draw no frame for a tab that it takes for hidden, and a promise in a page has no timeout.
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 200))]);
  }
}

/** Visible images that aren't loaded. Runs in the page. */
function listMissingImages(): string[] {
  return [...document.images]
    .filter((image) => image.checkVisibility() && !(image.complete && image.naturalWidth > 0))
    .map((image) => image.currentSrc || image.outerHTML.slice(0, 160));
}
