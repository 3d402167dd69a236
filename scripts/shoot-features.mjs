/**
 * Takes screenshots of the product for the landing page: starts the built program with sample people, opens their pages, and writes
 * app/features/marketing/landing/images/<name>.avif. Run it after a build (`npm start` makes one) whenever those screens change:
 *
 *   node scripts/shoot-features.mjs [name …]
 *
 * The images have the proportions of a business card (91 to 55) or of a phone; those of a step on a phone 15 to 11. They show the light
 * theme, which suits both themes of the site.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";
import sharp from "sharp";

import { makePeople } from "./sample-people.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "app/features/marketing/landing/images");
const port = "4813";
const local = `http://localhost:${port}`;
/** The site in the codes and addresses of the screenshots (reserved by RFC 2606). */
const shown = "http://example.com";

const paper = {
  name: "theme",
  value: "light",
  domain: "example.com",
  path: "/",
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: "Lax",
};
const card = { width: 91, height: 55 };
const phone = { width: 390, height: 780 };
/** The image of a step on a phone, where a whole window would be unreadable. */
const stepOnPhone = { width: 15, height: 11 };

/** A window wide enough for the form and the preview beside it; the screenshot is this many CSS pixels wide. */
const wide = (pixels) => ({ wide: pixels, isWide: true });

/** The image starts at the upper left corner of the element that `at` finds, moved by `move`, and is `wide` CSS pixels wide. */
const shots = [
  { name: "freelancer", of: "freelancer", path: profilePage, shape: phone },
  { name: "tabs", of: "freelancer", path: profilePage, at: ".tabs", move: [-20, -26] },
  { name: "booking", of: "freelancer", path: cardPage, at: ".rows li:nth-child(2)", move: [-20, -12] },
  { name: "resume", of: "freelancer", path: profilePage, at: ".tabs h2:last-of-type", move: [-20, -18] },
  {
    name: "themes",
    of: "freelancer",
    path: () => "/profile",
    at: "h2:text('Profile Theme')",
    ...wide(640),
    move: [-46, -45],
  },

  { name: "recruiter", of: "recruiter", path: profilePage, shape: phone },
  {
    name: "code",
    of: "recruiter",
    path: (who) => `${sharePage(who)}/qr`,
    lead: openCode,
    at: "form img",
    ...wide(636),
    move: [-26, -10],
  },
  { name: "saved", of: "recruiter", path: cardPage, at: "main .card", wide: 532, move: [-71, -8] },
  {
    name: "schedule",
    of: "recruiter",
    path: () => "/profile",
    lead: openSchedule,
    at: "#links details details",
    ...wide(520),
    move: [-22, -14],
  },
  { name: "signature", of: "recruiter", path: signaturePage, lead: makeRoom, at: "body", move: [0, 0] },

  { name: "form", of: "recruiter", path: (who) => `${cardPage(who)}/connect`, at: "main", wide: 640, move: [0, 0] },
  { name: "inbox", of: "recruiter", path: () => "/leads", at: "text=Amara Diallo", ...wide(560), move: [-72, -24] },
  { name: "kiosk", of: "recruiter", path: (who) => who.kiosk, wide: 900, at: "body", move: [0, 0] },

  { name: "sales", of: "seller", path: cardPage, shape: phone },
  { name: "logo", of: "seller", path: cardPage, at: "main .card", wide: 440, move: [-25, -15] },
  { name: "tag", of: "seller", path: (who) => `${sharePage(who)}/nfc`, lead: waitForTag, at: "h1", wide: 445, move: [-60, -40] },
  { name: "meeting", of: "seller", path: (who) => `${sharePage(who)}/background`, whole: "img[alt='Preview of your call background']" },
  { name: "offline", of: "seller", path: (who) => `${sharePage(who)}/offline`, at: "h1", ...wide(600), move: [-24, 92] },

  {
    name: "step-card",
    of: "freelancer",
    path: (who) => `/cards/edit/${who.card}`,
    at: "h1",
    ...wide(1130),
    move: [-24, -78],
  },
  {
    name: "step-card-phone",
    of: "freelancer",
    path: (who) => `/cards/edit/${who.card}`,
    at: "text=What visitors see",
    ...wide(400),
    shape: stepOnPhone,
    move: [58, 28],
  },
  { name: "step-links", of: "freelancer", path: () => "/profile", at: "#links", ...wide(600), move: [-60, -126] },
  {
    name: "step-links-phone",
    of: "freelancer",
    path: () => "/profile",
    at: "#links li",
    shape: stepOnPhone,
    move: [-24, -25],
  },
  { name: "step-share", of: "seller", path: (who) => `${sharePage(who)}/print.pdf`, sheet: { top: 0 } },
];

const dataDir = mkdtempSync(join(tmpdir(), "meishi-shots-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--disable-gpu", "--disable-quic", `--host-resolver-rules=MAP example.com 127.0.0.1:${port}`],
});
try {
  mkdirSync(target, { recursive: true });
  const people = await start({ BASE_URL: local }, () => makePeople(browser, { url: local, dataDir }));
  await start({ BASE_URL: shown, SMTP_URL: "smtp://127.0.0.1:9" }, () => shootAll(people));
} finally {
  await browser.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Runs `work` while the built program is running. */
async function start(env, work) {
  const child = spawn(process.execPath, [join(root, "build/server/main.js")], {
    env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: port, DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    for (
      let tries = 0;
      !(await fetch(`${local}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ));
      tries++
    ) {
      if (tries > 200 || child.exitCode !== null) throw new Error("The built program does not answer: build first.");
      await pause(50);
    }
    return await work();
  } finally {
    child.kill();
    await ended;
  }
}

async function shootAll(people) {
  const wanted = process.argv.slice(2);
  for (const shot of shots) {
    if (wanted.length > 0 && !wanted.includes(shot.name)) continue;
    const file = join(target, `${shot.name}.avif`);
    const { width, height } = await shoot(shot, people[shot.of], file);
    console.log(`${shot.name.padEnd(12)} ${width}x${height} ${(statSync(file).size / 1000).toFixed(1)} kB`);
  }
}

async function shoot(shot, who, file) {
  const isPublic = /^\/(u|card|kiosk)\//.test(shot.path(who));
  const context = await browser.newContext({
    baseURL: shown,
    viewport: { width: shot.isWide ? 1180 : (shot.wide ?? 390), height: shot.isWide ? 1400 : 780 },
    deviceScaleFactor: 2,
    colorScheme: "light",
    reducedMotion: "reduce",
    timezoneId: "America/New_York",
    locale: "en-US",
    storageState: isPublic ? undefined : { cookies: [...who.cookies, paper], origins: [] },
  });
  await context.addInitScript(pretendTags);
  const page = await context.newPage();
  const image = await photograph(page, shot, who);
  await context.close();
  const shape = shot.shape ?? card;
  const width = shape === phone ? 600 : shot.name.startsWith("step") && shape === card ? 1120 : 760;
  const height = Math.round((width * shape.height) / shape.width);
  const size = shot.whole ? { fit: "contain", background: await groundOf(image) } : { fit: "cover" };
  return sharp(image)
    .resize({ width, height, ...size })
    .avif({ quality: 56, effort: 5, chromaSubsampling: "4:4:4" })
    .toFile(file);
}

async function photograph(page, shot, who) {
  if (shot.sheet) return printed(page, shot, who);
  await page.goto(shot.path(who), { waitUntil: "networkidle" });
  // A text font that came late is used from the second view on.
  await page.reload({ waitUntil: "networkidle" });
  await shot.lead?.(page);
  await page.waitForTimeout(400);
  if (shot.whole) return download(page, await page.locator(shot.whole).getAttribute("src"));
  if (!shot.at) return page.screenshot();
  const box = await page.locator(shot.at).filter({ visible: true }).first().boundingBox();
  const scrolled = await page.evaluate(() => scrollY);
  const width = shot.wide ?? 390;
  const [x, y] = [box.x + shot.move[0], box.y + scrolled + shot.move[1]];
  // Sticky elements would cover the screenshot.
  const shape = shot.shape ?? card;
  const height = (width * shape.height) / shape.width;
  await page.evaluate((end) => scrollTo(0, end), Math.max(y + height - page.viewportSize().height, 0));
  const top = Math.max(y, 0) - (await page.evaluate(() => scrollY));
  return page.screenshot({ clip: { x: Math.max(x, 0), y: top, width, height } });
}

/** The color in the middle of the upper edge, for the bars around an image that is shown whole. */
async function groundOf(image) {
  const { width } = await sharp(image).metadata();
  const pixel = { left: width >> 1, top: 8, width: 1, height: 1 };
  const [r, g, b] = await sharp(image).extract(pixel).removeAlpha().raw().toBuffer();
  return { r, g, b };
}

/** The first page of a PDF, rendered by Poppler's pdftoppm at 200 dpi. */
async function printed(page, shot, who) {
  const input = await download(page, shot.path(who));
  const paper = execFileSync("pdftoppm", ["-png", "-r", "200", "-l", "1", "-"], { input, maxBuffer: 1e8 });
  const { width } = await sharp(paper).metadata();
  const height = Math.round((width * card.height) / card.width);
  return sharp(paper).extract({ left: 0, top: shot.sheet.top, width, height }).toBuffer();
}

/** The bytes at an address, without the policy of a page. */
async function download(page, address) {
  await page.goto("/robots.txt");
  return Buffer.from(
    await page.evaluate(async (path) => Array.from(new Uint8Array(await (await fetch(path)).arrayBuffer())), address),
  );
}

function profilePage(who) {
  return `/u/${who.id}`;
}

function cardPage(who) {
  return `/card/${who.card}`;
}

function sharePage(who) {
  return `/share/card/${who.card}`;
}

function signaturePage(who) {
  return `${sharePage(who)}/signature.html`;
}

async function openCode(page) {
  await page.getByRole("radio", { name: "Violet" }).check({ force: true });
  await page.getByRole("radio", { name: "Your avatar" }).check({ force: true });
}

async function openSchedule(page) {
  const link = page.locator("#links li").first();
  await link.locator("summary").first().click();
  await link.locator("summary", { hasText: "Schedule" }).click();
  await link.getByLabel("Show from").fill("2027-03-01T09:00");
  await link.getByLabel("Show until").fill("2027-03-31T18:00");
  // The save bar.
  await page.evaluate(() => {
    document.activeElement.blur();
    document.querySelector("[data-bar]")?.remove();
  });
}

/** Adds the margin that a mail has around its signature. */
async function makeRoom(page) {
  await page.evaluate(() => (document.body.style.padding = "56px 24px"));
}

async function waitForTag(page) {
  await page.getByRole("button", { name: "Write to a tag" }).click();
}

/** Stands in for the NFC chip that this machine lacks: it waits for a tag. */
function pretendTags() {
  globalThis.NDEFReader = class {
    write() {
      return new Promise(() => undefined);
    }
  };
}
