/**
 * Takes screenshots of the sample's public profile and card for the landing page's first screen, as AVIF and WebP, in
 * app/features/marketing/landing/hero/mocks/. Needs Chromium and a running server with the sample:
 *
 *   npm start
 *   node scripts/draw-mocks.mjs http://localhost:3000
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";
import sharp from "sharp";

const [site = "http://localhost:3000"] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../app/features/marketing/landing/hero/mocks/", import.meta.url));
const fontFile = (path) => readFileSync(fileURLToPath(import.meta.resolve(path))).toString("base64");

/** Public pages use the device's fonts. The screenshots use the site's fonts. */
const fonts = `
@font-face { font-family: "Hiragino Mincho ProN"; src: url(data:font/woff2;base64,${fontFile("@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff2")}) }
@font-face { font-family: "Text"; font-weight: 400 700; src: url(data:font/woff2;base64,${fontFile("@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2")}) }
.page, .page :is(a, b, small, label, span:not(.avatar), p:not(.name), button) { font-family: "Text" !important }
`;

/** A narrow phone, so that the text is readable in the small image. */
const phone = { width: 320, height: 694 };

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  chromiumSandbox: false,
});
const shared = { colorScheme: "light", reducedMotion: "reduce", bypassCSP: true };

const page = await open("/u/demo-user", { viewport: phone, deviceScaleFactor: 2 });
for (const [name, theme] of Object.entries({ phone: "default", "phone-royal": "royal", "phone-forest": "forest" })) {
  await page.evaluate((theme) => {
    document.querySelector("main.page").dataset.theme = theme;
  }, theme);
  await keep(name, await page.screenshot());
}

const cardPage = await open("/card/demo-card", { viewport: { width: 382, height: 700 }, deviceScaleFactor: 2.75 });
await cardPage.addStyleTag({ content: ".card { border-radius: 0 !important; box-shadow: none !important }" });
await keep("card", await cardPage.locator("main .card").screenshot());

await browser.close();

async function open(path, device) {
  const context = await browser.newContext({ ...shared, ...device });
  const page = await context.newPage();
  await page.goto(site + path);
  await page.addStyleTag({ content: fonts });
  await page.evaluate(() => document.fonts.ready);
  return page;
}

async function keep(name, png) {
  await sharp(png).avif({ quality: 62, effort: 9, chromaSubsampling: "4:4:4" }).toFile(`${folder}${name}.avif`);
  await sharp(png).webp({ quality: 84, effort: 6, smartSubsample: true }).toFile(`${folder}${name}.webp`);
  const { width, height } = await sharp(png).metadata();
  const sizes = ["avif", "webp"].map((kind) => `${(statSync(`${folder}${name}.${kind}`).size / 1000).toFixed(1)} kB`);
  console.log(`${name}: ${width} x ${height}, ${sizes.join(" and ")}`);
}
