import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { cardModes } from "#app/features/marketing/landing/demo/demo-card.ts";
import {
  boxOf,
  desktop,
  blockScripts,
  waitForHydration,
  narrow,
  openSite,
  reducedMotion,
  pauseClock,
  openPage,
} from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";

const site = openSite();

test("the live demo changes with typing, loads its encoder only for a code, and is legible in each mode and theme", async () => {
  const { page, requests, consoleErrors } = await openDemo();
  const before = requests.length;
  await field(page, "Name").fill("Ada Lovelace");
  await field(page, "Company").fill("Engines");
  await expect.poll(() => card(page).textContent()).toMatch(/Engines.*AL.*Ada Lovelace/);
  // Images of other sections load when they are scrolled to.
  expect(requests.slice(before).filter((url) => url.endsWith(".js"))).toEqual([]);

  const held = Promise.withResolvers<void>();
  await page.route("**/assets/demo-code-*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await pauseClock(page);
  await field(page, "QR Payload").fill("/u/ada lovelace");
  await page.clock.runFor(199);
  expect(await code(page).count()).toBe(1);
  await page.clock.runFor(1);
  await expect.poll(() => card(page).locator("[aria-busy=true]").count()).toBe(1);
  expect(await code(page).count()).toBe(0);
  await page.clock.resume();
  held.resolve();
  await expect.poll(() => scanCard(page)).toBe(`${site.url}/u/ada%20lovelace`);
  expect(requests.slice(before).some((url) => url.includes("/assets/demo-code-"))).toBe(true);
  expect(requests.filter((url) => !url.startsWith(site.url))).toEqual([]);

  for (const theme of ["dark", "light"]) {
    await page.evaluate((theme) => (document.documentElement.dataset["mode"] = theme), theme);
    for (const mode of cardModes) {
      await page.getByRole("radio", { name: mode }).check({ force: true });
      const text = card(page).getByText(/Ada Lovelace|Product designer|localhost/);
      await expect
        .poll(() => text.evaluateAll(lightnessOf), { message: `${mode} on ${theme}` })
        .toSatisfy((all: number[]) => all.every((lightness) => (mode === "dark" ? lightness > 180 : lightness < 90)));
      await expect.poll(() => scanCard(page), { message: `${mode} on ${theme}` }).toMatch(/ada%20lovelace$/);
    }
  }

  await field(page, "QR Payload").fill(" ");
  await card(page).getByText("Enter a payload to get a code.").waitFor();
  expect(await code(page).count()).toBe(0);
  await field(page, "QR Payload").fill("é".repeat(2000));
  await card(page).getByText("Too long for a QR code.").waitFor();
  expect(consoleErrors.splice(0)).toEqual([expect.stringMatching(/^Failed to generate QR code/)]);
  await field(page, "QR Payload").fill("/");
  await expect.poll(() => scanCard(page)).toBe(`${site.url}/`);

  expect(await page.getByText("Customize Pass").isVisible()).toBe(false);
  // On a tablet it is beside its fields, without broken words.
  await page.setViewportSize({ width: 768, height: 1024 });
  expect(await page.getByText("Customize Pass").isVisible()).toBe(false);
  const [preview, name] = [await boxOf(card(page)), await boxOf(field(page, "Name"))];
  expect(name.x).toBeGreaterThan(preview.x + preview.width);
  const choices = page.locator("#live-demo label", { has: page.getByRole("radio") });
  const heights = await choices.evaluateAll((all) => all.map((label) => label.getBoundingClientRect().height));
  expect(new Set(heights)).toEqual(new Set([44]));
});

test("on a phone the fields are folded, any text fits, and an encoder that can't be loaded is tried again", async () => {
  const { page, consoleErrors } = await openDemo(narrow);
  expect(await field(page, "Name").isVisible()).toBe(false);
  await page.getByText("Customize Pass").click();
  const odd = ["W".repeat(20_000), "محمد بن عبد الله ".repeat(40), "👩‍🚀🇯🇵".repeat(500), "a\u0000b\u202e", "<b>&", ""];
  for (const text of odd) {
    for (const name of ["Name", "Title", "Company"]) await field(page, name).fill(text);
    const { x, width, height } = await boxOf(card(page));
    expect(x + width).toBeLessThanOrEqual(320);
    expect(height).toBeLessThan(760);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
  await page.route("**/assets/demo-code-*", (route) => route.abort());
  await field(page, "QR Payload").fill("tea");
  await card(page).getByText("Couldn’t generate the code.").waitFor();
  expect(consoleErrors.splice(0).some((text) => text.startsWith("Failed to generate QR code"))).toBe(true);
  await page.unroute("**/assets/demo-code-*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => scanCard(page)).toBe("tea");
});

test("what was typed and chosen before hydration is kept, also in the personas", async () => {
  const { page } = await site.open({ ...desktop, ...reducedMotion });
  const unblock = await blockScripts(page);
  await page.goto("/");
  await field(page, "Name").fill("Early Bird");
  await field(page, "QR Payload").fill("early");
  await page.getByRole("radio", { name: "emerald" }).check({ force: true });
  await page.getByRole("radio", { name: "Recruiters", exact: true }).check({ force: true });
  unblock();
  await waitForHydration(page);
  await expect.poll(() => card(page).textContent()).toContain("Early Bird");
  await expect.poll(() => scanCard(page)).toBe("early");
  expect(await field(page, "Name").inputValue()).toBe("Early Bird");
  for (const name of ["emerald", "Recruiters"])
    expect(await page.getByRole("radio", { name }).isChecked(), name).toBe(true);
  expect(await page.getByText("You meet more people").isVisible()).toBe(true);
});

test("shows the card and its code without script, and hides the fields", async () => {
  const { page } = await site.open({ ...desktop, ...reducedMotion, javaScriptEnabled: false });
  await page.goto("/");
  await card(page).scrollIntoViewIfNeeded();
  await expect.poll(() => scanCard(page)).toBe(`${site.url}/u/demo-user`);
  expect(await field(page, "Name").isVisible()).toBe(false);
  expect(await page.getByText("With JavaScript on").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Keep this card" }).click();
  await page.getByRole("heading", { name: "Create your free account" }).waitFor();
});

async function openDemo(device: Device = desktop): Promise<Tab> {
  const tab = await site.open({ ...device, ...reducedMotion });
  await openPage(tab.page, "/");
  return tab;
}

type Device = NonNullable<Parameters<typeof site.open>[0]>;

/** The color of the text, 0 to 255; partly transparent text lies on a background with enough contrast too. */
function lightnessOf(elements: Element[]): number[] {
  return elements.map((element) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    if (!canvas) throw new Error("No canvas");
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data[1] ?? 0;
  });
}

const field = (page: Page, label: string) => page.locator("#live-demo").getByLabel(label, { exact: true });
const card = (page: Page) => page.getByRole("article", { name: "Preview card" });
const code = (page: Page) => card(page).getByRole("img", { name: "QR code for the payload" });

/** The text that a scanner reads from a screenshot of the card. */
async function scanCard(page: Page): Promise<string | undefined> {
  return scanQrCode(await card(page).screenshot());
}
