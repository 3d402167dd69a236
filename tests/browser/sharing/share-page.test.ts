import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { expectFocus, waitForHydration, narrow, openSite, phone } from "#tests/support/browser/site.ts";
import { findShortUrl, makeCard, saveProfile, signUp } from "#tests/support/browser/users.ts";

const site = openSite();
let path: string;
/** The short address of its card. */
let publicUrl: string;
let owner: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "ada@example.com");
  await saveProfile(context, site.program, { displayName: "Ada Lovelace", handle: "ada" });
  const fields = { email: "ada@example.com", phone: "+44 20 7946 0000", company: "Analytical Engines" };
  const card = await makeCard(context, site.program, fields);
  path = `/share/card/${card}`;
  publicUrl = await findShortUrl(context, { url: site.url, card });
  await context.close();
});

async function openShare(device: BrowserContextOptions = phone, { address = path, double = "" } = {}) {
  const { page, context, requests, consoleErrors } = await site.open({
    ...device,
    storageState: owner.state,
    reducedMotion: "reduce",
  });
  if (double) await page.addInitScript(double);
  await page.goto(address);
  if (device.javaScriptEnabled !== false) await waitForHydration(page);
  return { page, context, requests, consoleErrors };
}

describe("writing an NFC tag", () => {
  test("waits for the tag, replaces its content by the marked URL, and reports success", async () => {
    const { page } = await openShare(phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await page.getByText("Hold a tag to the upper back of this phone").waitFor();
    await finishWrite(page, { kind: "done" });
    await page.getByText("Written", { exact: true }).waitFor();
    expect(await page.evaluate("window.tag.written")).toEqual({
      records: [{ recordType: "url", data: `${publicUrl}?n` }],
      overwrite: true,
    });
    await page.getByRole("button", { name: "Write another tag" }).waitFor();
  });

  test("can be canceled and retried", async () => {
    const { page } = await openShare(phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Write to a tag" }).waitFor();
    await expect.poll(() => page.evaluate("window.tag.signal.aborted")).toBe(true);
  });

  test.for([
    ["NotAllowedError", "NFC is blocked"],
    ["NotSupportedError", "Can't write to this tag"],
    ["NotReadableError", "NFC is off"],
    ["NetworkError", "The tag was moved or is locked"],
    ["SomethingNew", "Not written"],
  ] as const)("that fails with %s says %s, and can be retried", async ([name, text]) => {
    const { page } = await openShare(phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await finishWrite(page, { kind: "failed", name });
    await page.getByText(text).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Hold a tag").waitFor();
  });

  test("stops waiting when the page is left", async () => {
    const { page } = await openShare(phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await page.getByText("Hold a tag").waitFor();
    await page.getByRole("link", { name: "Back to Profile" }).click();
    await page.getByRole("heading", { name: "Edit Profile" }).or(page.getByLabel("Display name")).first().waitFor();
    await expect.poll(() => page.evaluate("window.tag.signal.aborted")).toBe(true);
  });

  test("is explained with an app if the browser can't write tags", async () => {
    const { page } = await openShare();
    await page.getByText("This browser can't write NFC tags.").waitFor();
    expect(await page.getByLabel("Link for the tag").inputValue()).toContain("?n");
    expect(await page.getByRole("button", { name: "Write to a tag" }).count()).toBe(0);
  });
});

test("copies the signature as HTML and as plain text, and previews it in a frame", async () => {
  const { page, context } = await openShare();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy signature" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const [html, text] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text() ?? "";
    return Promise.all([read("text/html"), read("text/plain")]);
  });
  expect(html).toContain('style="border-collapse:collapse');
  expect(html).toContain("?s");
  expect(text).toContain(`Ada Lovelace\nAnalytical Engines`);
  const frame = page.frameLocator("iframe");
  expect(await frame.getByText("Ada Lovelace").evaluate((name) => getComputedStyle(name).fontSize)).toBe("16px");
  await page.getByRole("switch", { name: "Preview in dark mode" }).check();
  await expect
    .poll(() => frame.getByText("Ada Lovelace").evaluate((name) => getComputedStyle(name).color))
    .toBe("rgb(232, 232, 232)");
});

test("copies with a copy event without the Clipboard API", async () => {
  const { page, context } = await openShare(phone, {
    double: "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  // The other tab still has the clipboard to read from.
  const other = await context.newPage();
  await other.goto("/profile");
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(`${publicUrl}?l`);
});

describe("the QR dialog", () => {
  test("previews each choice and offers it as files", async () => {
    const { page } = await openShare();
    await page.getByRole("button", { name: "Color and logo" }).click();
    const dialog = page.getByRole("dialog", { name: "QR code" });
    await dialog.getByRole("radio", { name: "Blue" }).check();
    await dialog.getByRole("radio", { name: "Seal" }).check();
    const picture = dialog.getByRole("img", { name: "Preview of your QR code" });
    await expect.poll(() => picture.getAttribute("src")).toContain("color=1e3a8a&logo=seal");
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
    for (const name of ["Download SVG", "Download PNG"]) {
      const href = await dialog.getByRole("link", { name }).getAttribute("href");
      expect(href).toContain("color=1e3a8a");
      expect((await page.request.get(href ?? "")).status(), name).toBe(200);
    }
  });

  test("rejects a color that would not scan next to its field, keeps the input and offers no files", async () => {
    const { page } = await openShare();
    await page.getByRole("button", { name: "Color and logo" }).click();
    const field = page.getByRole("dialog").getByLabel("Custom color");
    await field.fill("#ffd700");
    await page.getByText("too light to scan on a white").waitFor();
    expect(await field.inputValue()).toBe("#ffd700");
    expect(await page.getByRole("button", { name: "Download PNG" }).isDisabled()).toBe(true);
    await field.fill("blue");
    await page.getByText("Enter six characters from 0–9 and a–f").waitFor();
    await field.fill("7a1f5c");
    const file = page.getByRole("dialog").getByRole("link", { name: "Download PNG" });
    await expect.poll(() => file.getAttribute("href")).toContain("color=7a1f5c");
  });

  test("opens and closes with the keyboard, and returns the focus", async () => {
    const { page } = await openShare();
    const button = page.getByRole("button", { name: "Color and logo" });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectFocus(button);
  });

  test("reports an image that failed to load, and retries", async () => {
    const { page, consoleErrors } = await openShare();
    await page.route("**/qr.svg?size=480*", (route) => route.fulfill({ status: 503, body: "" }));
    await page.getByRole("button", { name: "Color and logo" }).click();
    await page.getByText("Couldn't load the image.").waitFor();
    await page.unroute("**/qr.svg?size=480*");
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    await page.getByRole("img", { name: "Preview of your QR code" }).waitFor();
    consoleErrors.splice(0);
  });
});

describe("print cards", () => {
  test("keeps the choices in the URL, and downloads a sheet with them", { timeout: 60_000 }, async () => {
    const { page, requests } = await openShare();
    const panel = page.getByRole("region", { name: "Print cards" });
    await panel.getByRole("radio", { name: "3.5 × 2 in" }).check();
    expect(await panel.getByRole("radio", { name: "Letter" }).isChecked()).toBe(true);
    await panel.getByRole("radio", { name: "A4" }).check();
    await panel.getByRole("radio", { name: "Blue" }).check();
    expect(new URL(page.url()).search).toBe("?size=3.5x2in&paper=a4&color=1e3a8a");
    expect(requests.filter((url) => url.includes(".data"))).toEqual([]);
    await page.reload();
    for (const name of ["3.5 × 2 in", "A4", "Blue"])
      expect(await panel.getByRole("radio", { name }).isChecked(), name).toBe(true);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      panel.getByRole("button", { name: "Download PDF" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("business-cards.pdf");
    expect(download.url()).toContain("/print.pdf?size=3.5x2in&paper=a4&color=%231e3a8a");
  });

  test("offers no sheet in a color that would not scan", async () => {
    const { page } = await openShare();
    const panel = page.getByRole("region", { name: "Print cards" });
    await panel.getByLabel("Custom color").fill("#ffd700");
    await panel.getByText("too light to scan on a white").waitFor();
    expect(await panel.getByRole("button", { name: "Download PDF" }).isDisabled()).toBe(true);
  });

  test("works without script", async () => {
    const { page } = await openShare({ ...phone, javaScriptEnabled: false });
    const panel = page.getByRole("region", { name: "Print cards" });
    await panel.getByRole("radio", { name: "85 × 55 mm" }).check();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      panel.getByRole("button", { name: "Download PDF" }).click(),
    ]);
    expect(new URL(download.url()).searchParams.get("size")).toBe("85x55");
  });
});

test("includes the chosen fields in the contact code, on the page and in its files", async () => {
  const { page } = await openShare();
  const panel = page.getByRole("region", { name: "Offline contact code" });
  const drawing = panel.getByRole("img", { name: "QR code with the contact details of Ada Lovelace" });
  const before = (await drawing.getAttribute("viewBox")) ?? "";
  await panel.getByRole("checkbox", { name: /Card link/ }).uncheck();
  await panel.getByRole("checkbox", { name: /Company/ }).uncheck();
  await expect.poll(() => drawing.getAttribute("viewBox")).not.toBe(before);
  await expect
    .poll(() => panel.getByRole("link", { name: "PNG" }).getAttribute("href"))
    .toContain("?without=company&without=url");
});

describe("on a narrow phone and on a desktop, in light and dark", () => {
  test.for([
    ["a card", narrow, "card"],
    ["the profile", phone, "profile"],
    ["a card on a desktop", {}, "card"],
  ] as const)("%s passes axe and doesn't overflow the window", { timeout: 120_000 }, async ([, device, kind]) => {
    const { page } = await openShare(device, { address: kind === "card" ? path : "/share/profile" });
    for (const mode of ["dark", "light"]) {
      await page.evaluate((mode) => (document.documentElement.dataset.mode = mode), mode);
      expect.soft(await findAxeViolations(page), mode).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
    await page.getByRole("button", { name: "Color and logo" }).click();
    await page.getByRole("dialog").getByLabel("Custom color").fill("#ffd700");
    expect.soft(await findAxeViolations(page), "the dialog").toEqual([]);
    const dialog = page.getByRole("dialog");
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  });
});

/** A tag writer that does as Web NFC says, and waits for the test to hold a tag to it. */
const fakeNdefReader = `
  window.NDEFReader = class {
    write(message, { signal, overwrite }) {
      return new Promise((resolve, reject) => {
        const tag = (window.tag = { signal, done: resolve, fail: (name) => reject(new DOMException("", name)) });
        tag.written = { ...message, overwrite };
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    }
  };
`;

async function finishWrite(page: Page, result: { kind: "done" } | { kind: "failed"; name: string }) {
  await page.waitForFunction("window.tag");
  await page.evaluate(result.kind === "done" ? "window.tag.done()" : `window.tag.fail("${result.name}")`);
}
