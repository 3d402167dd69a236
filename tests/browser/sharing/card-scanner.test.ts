import { readFileSync } from "node:fs";

import type { Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";

import { engines, languageFile } from "#app/features/scanner/reading/engine-urls.ts";

import { launchChromium } from "#tests/support/browser/chromium.ts";
import { desktop, narrow, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { drawCards } from "#tests/support/fixtures/paper-cards/card-pictures.ts";
import { makeSampleCards } from "#tests/support/fixtures/paper-cards/sample-cards.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;
const [sample] = makeSampleCards(1);
let picture: Buffer;

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "card-scanner@example.com");
  await makeCard(context, site.program, {});
  await context.close();
  const browser = await launchChromium();
  [picture = Buffer.alloc(0)] = await drawCards(browser, makeSampleCards(1, 1), 1);
  await browser.close();
});

async function openScanner(options: Parameters<typeof site.open>[0] = desktop) {
  const tab = await site.open({ ...options, storageState: owner.state });
  await tab.page.goto("/leads/scan");
  return tab;
}

/** The input for a stored picture; the other one opens the camera. */
function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  return page.locator("input[type=file]:not([capture])").setInputFiles(file);
}

const jpeg = () => ({ name: "card.jpg", mimeType: "image/jpeg", buffer: picture });

describe("a photographed card", () => {
  test("is read, checked and saved, and no request has anything of the picture", async () => {
    const { page, context } = await openScanner();
    await waitForHydration(page);
    const sent: Request[] = [];
    context.on("request", (request) => sent.push(request));
    await choose(page, jpeg());
    await page.getByText("The card was read.").waitFor({ timeout: 60_000 });
    const read = {
      name: await page.getByLabel("Name", { exact: true }).inputValue(),
      email: await page.getByLabel("Email", { exact: true }).inputValue(),
      phone: await page.getByLabel("Phone", { exact: true }).inputValue(),
    };
    expect(read).toEqual({ name: sample?.name, email: sample?.email, phone: expect.stringContaining("(212) 555-01") });
    await page.getByRole("checkbox", { name: "This person gave me" }).check();
    await page.getByRole("button", { name: "Save lead" }).click();
    await page.getByRole("heading", { name: sample?.name ?? "" }).waitFor();
    expect(await page.getByText("Paper card").count()).toBe(1);
    expect(sent.filter((request) => !isOwn(request)).map((request) => request.url())).toEqual([]);
    const bodies = sent.flatMap((request) => (request.method() === "GET" ? [] : [request.postDataBuffer()]));
    expect(bodies).toHaveLength(1);
    expect(bodies[0]?.length).toBeLessThan(5_000);
    expect(sent.every((request) => request.url().length < 2_000)).toBe(true);
  });

  test("is followed by the next, and what was typed before isn't replaced", async () => {
    const { page } = await openScanner(narrow);
    await waitForHydration(page);
    await page.getByLabel("Name", { exact: true }).fill("Typed Before");
    await choose(page, jpeg());
    await page.getByText("The card was read.").waitFor({ timeout: 60_000 });
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Typed Before");
    await page.getByLabel(`Move “${sample?.name}” to`).selectOption("Name");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(sample?.name);
    expect(await page.getByLabel("Move “Typed Before” to").count()).toBe(1);
    await page.getByLabel("Tags", { exact: true }).fill("Fair");
    await page.getByRole("button", { name: "Save and scan the next" }).click();
    await page.getByText("Check this box if they agreed.").waitFor();
    // A rejected form keeps the picture.
    await page.getByRole("img", { name: "The card that you photographed" }).waitFor();
    await page.getByRole("checkbox", { name: "This person gave me" }).check();
    await page.getByRole("button", { name: "Save and scan the next" }).click();
    await page.getByText("Lead saved").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("");
    // Ready for the next picture, which is chosen at the top.
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Scan a business card");
    expect(await page.getByLabel("Tags", { exact: true }).inputValue()).toBe("Fair");
    expect(await page.getByRole("img", { name: "The card that you photographed" }).count()).toBe(0);
    await choose(page, jpeg());
    await page.getByText("The card was read.").waitFor({ timeout: 60_000 });
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe(sample?.name);
  });
});

describe("a file that can't be read", () => {
  const files = [
    ["text", { name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") }, "This isn't a picture"],
    ["a HEIC file", { name: "IMG_1.HEIC", mimeType: "", buffer: Buffer.from("heic") }, "can't open HEIC pictures"],
    ["an empty picture", { name: "dot.gif", mimeType: "image/gif", buffer: onePixel() }, "No text was found"],
  ] as const;
  test.each(files)("%s is reported with what to do, and another can be chosen", async (_, file, message) => {
    const { page } = await openScanner();
    await waitForHydration(page);
    await page.getByLabel("Note", { exact: true }).fill("Met at the fair");
    await choose(page, file);
    await page.getByRole("alert").getByText(message).waitFor({ timeout: 60_000 });
    expect(await page.getByLabel("Note", { exact: true }).inputValue()).toBe("Met at the fair");
    expect(await page.getByLabel("Choose another picture").isEnabled()).toBe(true);
  });

  test("without a connection is read once there is one", async () => {
    const { page, context, consoleErrors } = await openScanner();
    await waitForHydration(page);
    await context.setOffline(true);
    await choose(page, jpeg());
    await page.getByText("The reader couldn't be loaded").waitFor();
    await context.setOffline(false);
    consoleErrors.splice(0);
    await choose(page, jpeg());
    await page.getByText("The card was read.").waitFor({ timeout: 60_000 });
  });
});

test("a browser without SIMD reads with the plain engine", async () => {
  const tab = await site.open({ ...desktop, storageState: owner.state });
  await tab.page.addInitScript(() => (WebAssembly.validate = () => false));
  await tab.page.goto("/leads/scan");
  await waitForHydration(tab.page);
  await choose(tab.page, jpeg());
  await tab.page.getByText("The card was read.").waitFor({ timeout: 60_000 });
  expect(await tab.page.getByLabel("Name", { exact: true }).inputValue()).toBe(sample?.name);
  expect(tab.requests.filter((url) => url.endsWith(".wasm")).map((url) => url.includes("simd"))).toEqual([false]);
});

test("a browser without WebAssembly says so, and the form still works", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await page.goto("/leads/scan");
  await waitForHydration(page);
  await choose(page, jpeg());
  await page.getByText("This browser can't read pictures").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Typed By Hand");
  await page.getByLabel("Phone", { exact: true }).fill("+1 212 555 0100");
  await page.getByRole("checkbox", { name: "This person gave me" }).check();
  await page.getByRole("button", { name: "Save lead" }).click();
  await page.getByRole("heading", { name: "Typed By Hand" }).waitFor();
});

test("reading can be canceled while the reader is loaded", async () => {
  const { page } = await openScanner();
  await waitForHydration(page);
  await page.route("**/*.wasm", () => undefined);
  await choose(page, jpeg());
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByLabel("Choose a picture").isEnabled()).toBe(true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("the page says without script what to do, and saves what is typed", async () => {
  const { page } = await openScanner({ ...narrow, javaScriptEnabled: false });
  // Playwright finds no text in there.
  expect(await page.content()).toMatch(/<noscript>.*Reading a card needs JavaScript/s);
  await page.getByLabel("Name", { exact: true }).fill("Typed Without Script");
  await page.getByLabel("Phone", { exact: true }).fill("+1 212 555 0100");
  await page.getByRole("checkbox", { name: "This person gave me" }).check();
  await page.getByRole("button", { name: "Save lead" }).click();
  await page.getByRole("heading", { name: "Typed Without Script" }).waitFor();
});

test("only the reader's worker may run WebAssembly, and it can connect to nothing", async () => {
  const { page } = await openScanner();
  const policyOf = async (path: string) => (await page.request.get(path)).headers()["content-security-policy"] ?? "";
  for (const path of ["/leads/scan", "/leads/new", "/leads", "/profile"]) {
    const policy = await policyOf(path);
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain("wasm");
  }
  expect(await policyOf("/leads/scan/worker.js")).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src blob:; base-uri 'none'; frame-ancestors 'none'",
  );
});

test("the sizes that the progress is measured with are those of the files", () => {
  const sizeOf = (path: string) => readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url)).length;
  expect(languageFile.bytes).toBe(sizeOf("@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz"));
  expect(engines.simd.wasm.bytes).toBe(sizeOf("tesseract.js-core/tesseract-core-simd-lstm.wasm"));
  expect(engines.plain.wasm.bytes).toBe(sizeOf("tesseract.js-core/tesseract-core-lstm.wasm"));
});

function isOwn(request: Request): boolean {
  return request.url().startsWith(site.url) || request.url().startsWith(`blob:${site.url}`);
}

/** A transparent GIF of one pixel. */
function onePixel(): Buffer {
  return Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
}
