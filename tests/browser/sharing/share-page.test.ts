import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { findOverflow } from "#tests/support/browser/layout.ts";
import { boxOf, waitForHydration, narrow, openSite, phone } from "#tests/support/browser/site.ts";
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

/** Opens a page below the Share page, or with "" the Share page itself. */
async function openShare(section: string, device: BrowserContextOptions = phone, { double = "" } = {}) {
  const { page, context, requests, consoleErrors } = await site.open({
    ...device,
    storageState: owner.state,
    reducedMotion: "reduce",
  });
  if (double) await page.addInitScript(double);
  await page.goto(path + section);
  if (device.javaScriptEnabled !== false) await waitForHydration(page);
  return { page, context, requests, consoleErrors };
}

describe("the Share page on a phone", () => {
  test("has the code, the link and all services on the first screen, and leads to its other pages", async () => {
    const { page } = await openShare("", { ...phone, viewport: { width: 390, height: 844 } });
    const code = await boxOf(page.getByRole("img", { name: "QR code for Ada Lovelace's business card" }));
    expect(code.width).toBeGreaterThanOrEqual(260);
    for (const name of ["Email", "WhatsApp", "LinkedIn", "X", "Save to my contacts"]) {
      const { y, height } = await boxOf(page.getByRole("link", { name, exact: true }));
      expect(y + height, name).toBeLessThanOrEqual(844);
      expect(height).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole("link", { name: /^Email signature/ }).click();
    await page.getByRole("heading", { name: "Email signature" }).waitFor();
    // Only for browsers without script.
    expect(await page.getByRole("button", { name: "Show", exact: true }).count()).toBe(0);
    const copy = await boxOf(page.getByRole("button", { name: "Copy signature" }));
    expect(copy.y + copy.height).toBeLessThanOrEqual(844);
    await page.getByRole("link", { name: "Share", exact: true }).click();
    await page
      .getByRole("main")
      .getByRole("link", { name: /^My QR/ })
      .click();
    await page.getByRole("heading", { name: "My QR" }).waitFor();
  });

  test("offers the phone's share sheet where there is one", async () => {
    const double = "navigator.share = async (data) => void (window.shared = data)";
    const { page } = await openShare("", phone, { double });
    await page.getByRole("button", { name: "Share", exact: true }).click();
    expect(await page.evaluate("window.shared")).toEqual({ title: "Ada Lovelace", url: `${publicUrl}?l` });
  });
});

describe("writing an NFC tag", () => {
  test("is explained in a browser that can't", async () => {
    const { page } = await openShare("/nfc");
    await page.getByText("This browser can’t write NFC tags.").waitFor();
    expect(await page.getByLabel("Link for the tag").inputValue()).toContain("?n");
    expect(await page.getByRole("button", { name: "Write to a tag" }).count()).toBe(0);
  });

  test("waits for the tag, replaces its content by the marked URL, reports success, and can be canceled", async () => {
    const { page } = await openShare("/nfc", phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => page.evaluate("window.tag.signal.aborted")).toBe(true);
    await page.getByRole("button", { name: "Write to a tag" }).click();
    await page.getByText("Hold a tag to the upper back of this phone").waitFor();
    await expect.poll(() => page.evaluate("window.tag.signal.aborted")).toBe(false);
    await page.evaluate("window.tag.done()");
    await page.getByText("Written", { exact: true }).waitFor();
    expect(await page.evaluate("window.tag.written")).toEqual({
      records: [{ recordType: "url", data: `${publicUrl}?n` }],
      overwrite: true,
    });
    await page.getByRole("button", { name: "Write another tag" }).waitFor();
  });

  test("says why it failed, can be retried, and stops when the page is left", async () => {
    const { page } = await openShare("/nfc", phone, { double: fakeNdefReader });
    await page.getByRole("button", { name: "Write to a tag" }).click();
    for (const [name, text] of [
      ["NotAllowedError", "NFC is blocked"],
      ["NotSupportedError", "Can’t write to this tag"],
      ["NotReadableError", "NFC is off"],
      ["NetworkError", "The tag was moved or is locked"],
      ["SomethingNew", "Not written"],
    ] as const) {
      await page.getByText("Hold a tag").waitFor();
      await page.evaluate(`window.tag.fail("${name}")`);
      await page.getByText(text).waitFor();
      await page.getByRole("button", { name: "Try again" }).click();
    }
    await page.getByText("Hold a tag").waitFor();
    await page.getByRole("link", { name: "Share", exact: true }).click();
    await page.getByRole("heading", { name: "Share", exact: true }).waitFor();
    await expect.poll(() => page.evaluate("window.tag.signal.aborted")).toBe(true);
  });
});

test("copies the signature as HTML and as plain text, and previews it in a frame", async () => {
  const { page, context } = await openShare("/signature");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy signature" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const [html, text] = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text() ?? "";
    return Promise.all([read("text/html"), read("text/plain")]);
  });
  for (const text of ['style="border-collapse:collapse', "?s"]) expect(html).toContain(text);
  expect(text).toContain(`Ada Lovelace\nAnalytical Engines`);
  const frame = page.frameLocator("iframe");
  expect(await frame.getByText("Ada Lovelace").evaluate((name) => getComputedStyle(name).fontSize)).toBe("16px");
  await page.getByRole("switch", { name: "Preview in dark mode" }).check();
  await expect
    .poll(() => frame.getByText("Ada Lovelace").evaluate((name) => getComputedStyle(name).color))
    .toBe("rgb(232, 232, 232)");
});

test("copies with a copy event without the Clipboard API", async () => {
  const { page, context } = await openShare("", phone, {
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

test("the design of the QR code previews each choice, keeps it in the URL, and offers it as files", async () => {
  const { page, consoleErrors } = await openShare("/qr");
  await page.route("**/qr.svg?size=480*", (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
  await page.getByText("Couldn’t load the image.").waitFor();
  await page.unroute("**/qr.svg?size=480*");
  await page.getByRole("button", { name: "Try again" }).click();
  const image = page.getByRole("img", { name: "Preview of your QR code" });
  await image.waitFor();
  consoleErrors.splice(0);
  await page.getByRole("radio", { name: "Blue" }).check();
  await page.getByRole("radio", { name: "Seal" }).check();
  await expect.poll(() => image.getAttribute("src")).toContain("color=1e3a8a&logo=seal");
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(100);
  expect(new URL(page.url()).search).toBe("?logo=seal&color=1e3a8a");
  for (const name of ["Download SVG", "Download PNG"]) {
    const href = await page.getByRole("link", { name }).getAttribute("href");
    expect(href).toContain("color=1e3a8a");
    expect((await page.request.get(href ?? "")).status(), name).toBe(200);
  }

  // A color that would not scan is rejected next to its field.
  const field = page.getByLabel("Custom color");
  await field.fill("#ffd700");
  await page.getByText("too light to scan on a white").waitFor();
  expect(await field.inputValue()).toBe("#ffd700");
  expect(await page.getByRole("button", { name: "Download PNG" }).isDisabled()).toBe(true);
  for (const mode of ["dark", "light"]) {
    await page.evaluate((value) => (document.documentElement.dataset["mode"] = value), mode);
    expect.soft(await findAxeViolations(page), mode).toEqual([]);
  }
  expect(await findOverflow(page, [narrow.viewport.width, narrow.viewport.height])).toEqual([]);
  await field.fill("blue");
  await page.getByText("Enter six characters from 0–9 and a–f").waitFor();
  await field.fill("7a1f5c");
  const file = page.getByRole("link", { name: "Download PNG" });
  await expect.poll(() => file.getAttribute("href")).toContain("color=7a1f5c");
});

describe("print cards", () => {
  test("keeps the choices in the URL, downloads a sheet with them, and offers none in a color that would not scan", async () => {
    const { page, requests } = await openShare("/print");
    await page.getByRole("radio", { name: "3.5 × 2 in" }).check();
    expect(await page.getByRole("radio", { name: "Letter" }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: "A4" }).check();
    await page.getByRole("radio", { name: "Blue" }).check();
    expect(new URL(page.url()).search).toBe("?size=3.5x2in&paper=a4&color=1e3a8a");
    expect(requests.filter((url) => url.includes(".data"))).toEqual([]);
    await page.reload();
    for (const name of ["3.5 × 2 in", "A4", "Blue"])
      expect(await page.getByRole("radio", { name }).isChecked(), name).toBe(true);
    const download = await downloadSheet(page);
    expect(download.suggestedFilename()).toBe("business-cards.pdf");
    expect(download.url()).toContain("/print.pdf?size=3.5x2in&paper=a4&color=%231e3a8a");
    await waitForHydration(page);
    await page.getByLabel("Custom color").fill("#ffd700");
    await page.getByText("too light to scan on a white").waitFor();
    expect(await page.getByRole("button", { name: "Download PDF" }).isDisabled()).toBe(true);
  });

  test("works without script", async () => {
    const { page } = await openShare("/print", { ...phone, javaScriptEnabled: false });
    await page.getByRole("radio", { name: "85 × 55 mm" }).check();
    const download = await downloadSheet(page);
    expect(new URL(download.url()).searchParams.get("size")).toBe("85x55");
  });
});

async function downloadSheet(page: Page) {
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download PDF" }).click();
  return started;
}

test("includes the chosen fields in the contact code, on the page and in its files", async () => {
  const { page } = await openShare("/offline");
  const drawing = page.getByRole("img", { name: "QR code with the contact details of Ada Lovelace" });
  const before = (await drawing.getAttribute("viewBox")) ?? "";
  await page.getByRole("checkbox", { name: /Card link/ }).uncheck();
  await page.getByRole("checkbox", { name: /Company/ }).uncheck();
  await expect.poll(() => drawing.getAttribute("viewBox")).not.toBe(before);
  await expect
    .poll(() => page.getByRole("link", { name: "PNG" }).getAttribute("href"))
    .toContain("?without=company&without=url");
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
