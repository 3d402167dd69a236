import { readFileSync } from "node:fs";

import type { Request } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { engines, languageFile } from "#app/features/scanner/reading/engine-urls.ts";

import { launchChromium } from "#tests/support/browser/chromium.ts";
import { desktop, narrow, openSite, openPage } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { drawCards } from "#tests/support/fixtures/paper-cards/card-images.ts";
import { makeSampleCards } from "#tests/support/fixtures/paper-cards/sample-cards.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;
const [sample] = makeSampleCards(1);
let image: Buffer;

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "card-scanner@example.com");
  await makeCard(context, site.program, {});
  await context.close();
  const browser = await launchChromium();
  [image = Buffer.alloc(0)] = await drawCards(browser, makeSampleCards(1, 1), 1);
  await browser.close();
});

type OpenOptions = { device?: Parameters<typeof site.open>[0]; before?: () => unknown };

async function openScanner({ device = desktop, before }: OpenOptions = {}) {
  const tab = await site.open({ ...device, storageState: owner.state });
  if (before) await tab.page.addInitScript(before);
  await openPage(tab.page, "/leads/scan");
  const { page } = tab;
  const fields = {
    name: page.getByLabel("Name", { exact: true }),
    email: page.getByLabel("Email", { exact: true }),
    phone: page.getByLabel("Phone", { exact: true }),
    tags: page.getByLabel("Tags", { exact: true }),
    note: page.getByLabel("Note", { exact: true }),
  };
  /** The input for a stored image; the other one opens the camera. */
  const choose = (file: { name: string; mimeType: string; buffer: Buffer }) =>
    page.locator("input[type=file]:not([capture])").setInputFiles(file);
  const scan = async () => {
    await choose(jpeg());
    await page.getByText("The card was read.").waitFor();
  };
  const agree = () => page.getByRole("checkbox", { name: "This person gave me" }).check();
  /** Confirms and saves the lead, and waits for its page. */
  const save = async (name: string) => {
    await agree();
    await page.getByRole("button", { name: "Save lead" }).click();
    await page.getByRole("heading", { name }).waitFor();
  };
  return { ...tab, fields, choose, scan, agree, save };
}

const jpeg = () => ({ name: "card.jpg", mimeType: "image/jpeg", buffer: image });

test("a photographed card is read, checked and saved, and no request has anything of the image", async () => {
  const { page, context, fields, scan, save } = await openScanner();
  const sent: Request[] = [];
  context.on("request", (request) => sent.push(request));
  await scan();
  expect(await fields.name.inputValue()).toBe(sample?.name);
  expect(await fields.email.inputValue()).toBe(sample?.email);
  expect(await fields.phone.inputValue()).toContain("(212) 555-01");
  await save(sample?.name ?? "");
  expect(await page.getByText("Paper card").count()).toBe(1);
  expect(sent.filter((request) => !isOwn(request)).map((request) => request.url())).toEqual([]);
  const bodies = sent.flatMap((request) => (request.method() === "GET" ? [] : [request.postDataBuffer()]));
  expect(bodies).toHaveLength(1);
  expect(bodies[0]?.length).toBeLessThan(5_000);
  expect(sent.every((request) => request.url().length < 2_000)).toBe(true);
});

test("a card is followed by the next, and what was typed before isn't replaced", async () => {
  const { page, fields, scan, agree } = await openScanner({ device: narrow });
  const drawn = page.getByRole("img", { name: "The card that you photographed" });
  const next = () => page.getByRole("button", { name: "Save and scan the next" }).click();
  await fields.name.fill("Typed Before");
  await scan();
  expect(await fields.name.inputValue()).toBe("Typed Before");
  await page.getByLabel(`Move “${sample?.name}” to`).selectOption("Name");
  expect(await fields.name.inputValue()).toBe(sample?.name);
  expect(await page.getByLabel("Move “Typed Before” to").count()).toBe(1);
  await fields.tags.fill("Fair");
  await next();
  await page.getByText("Check this box if they agreed.").waitFor();
  // A rejected form keeps the image.
  await drawn.waitFor();
  await agree();
  await next();
  await page.getByText("Lead saved").waitFor();
  expect(await fields.name.inputValue()).toBe("");
  // Ready for the next image, which is chosen at the top.
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Scan a business card");
  expect(await fields.tags.inputValue()).toBe("Fair");
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  expect(await drawn.count()).toBe(0);
  await scan();
  expect(await fields.name.inputValue()).toBe(sample?.name);
});

test("a file that can't be read is reported with what to do, and another one is read, once there is a connection", async () => {
  const { page, context, fields, choose, scan } = await openScanner();
  await fields.note.fill("Met at the fair");
  // Of the files that the reader needs, one is still being loaded when the others fail.
  await page.route("**/*.traineddata*", () => undefined);
  const canceled = page.waitForEvent("requestfailed", (request) => request.url().includes(".traineddata"));
  await context.setOffline(true);
  await choose(jpeg());
  await page.getByText("The reader couldn’t be loaded").waitFor();
  await canceled;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  for (const [file, message] of [
    [{ name: "card.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") }, "This isn’t a picture"],
    [{ name: "IMG_1.HEIC", mimeType: "", buffer: Buffer.from("heic") }, "can’t open HEIC pictures"],
    [{ name: "dot.gif", mimeType: "image/gif", buffer: onePixel() }, "No text was found"],
  ] as const) {
    await choose(file);
    await page.getByRole("alert").getByText(message).waitFor();
    expect(await page.getByLabel("Choose another picture").isEnabled()).toBe(true);
  }
  await scan();
  expect(await fields.note.inputValue()).toBe("Met at the fair");
});

test("a browser without SIMD reads with the plain engine", async () => {
  const { requests, fields, scan } = await openScanner({ before: () => (WebAssembly.validate = () => false) });
  await scan();
  expect(await fields.name.inputValue()).toBe(sample?.name);
  expect(requests.filter((url) => url.endsWith(".wasm")).map((url) => url.includes("simd"))).toEqual([false]);
});

test("a browser without WebAssembly says so, and the form still works", async () => {
  const before = () => Reflect.deleteProperty(globalThis, "WebAssembly");
  const { page, fields, choose, save } = await openScanner({ before });
  await choose(jpeg());
  await page.getByText("This browser can’t read pictures").waitFor();
  await fields.name.fill("Typed By Hand");
  await fields.phone.fill("+1 212 555 0100");
  await save("Typed By Hand");
});

test("reading can be canceled while the reader is loaded", async () => {
  const { page, choose } = await openScanner();
  await page.route("**/*.wasm", () => undefined);
  await choose(jpeg());
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByLabel("Choose a picture").isEnabled()).toBe(true);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("only the reader's worker may run WebAssembly, and it can connect to nothing", async () => {
  const { request } = (await site.open({ storageState: owner.state })).context;
  const policyOf = async (path: string) => (await request.get(path)).headers()["content-security-policy"] ?? "";
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
