import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

import { launchChromium } from "./chromium.ts";
import { startProgram } from "./program.ts";
import type { Program } from "./program.ts";

export type Site = ReturnType<typeof openSite>;

/** A tab of somebody's browser; `requests` are those that it has made since it was opened. */
export type Tab = { page: Page; context: BrowserContext; requests: string[]; complaints: string[] };

export const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
} satisfies BrowserContextOptions;

export const desktop = {
  viewport: { width: 1280, height: 800 },
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
} satisfies BrowserContextOptions;

export const narrow = { ...phone, viewport: { width: 320, height: 640 } } satisfies BrowserContextOptions;

/** For pages that are clicked, not watched: what rises while it is scrolled to may slip away from under the pointer. */
export const still = { reducedMotion: "reduce" } satisfies BrowserContextOptions;

/**
 * The built program and one Chromium for all the tests of a file. What a test opened is closed after it; whatever the test
 * was about, no tab may have had an error in its console (which is where violations of the CSP are told).
 */
export function openSite(env: Record<string, string> = {}) {
  let running: { program: Program; browser: Browser } | undefined;
  const tabs: Tab[] = [];

  beforeAll(async () => {
    const [program, browser] = await Promise.all([startProgram(env), launchChromium()]);
    running = { program, browser };
    if (!(await program.isUp())) throw new Error(program.errors());
  });
  afterEach(async () => {
    const closing = tabs.splice(0);
    await Promise.all([...new Set(closing.map(({ context }) => context))].map((context) => context.close()));
    expect(closing.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
  afterAll(async () => {
    await running?.browser.close();
    await running?.program.remove();
  });

  function site() {
    if (!running) throw new Error("The site is there in tests and hooks, not while the file is read.");
    return running;
  }

  /** Somebody's browser: its own cookies, nothing cached, all of it away after the test. */
  async function open(options: BrowserContextOptions = desktop): Promise<Tab> {
    const context = await site().browser.newContext({ baseURL: site().program.url, ...options });
    context.setDefaultTimeout(30_000);
    return watch(await context.newPage(), tabs);
  }

  return {
    open,
    /** One more tab of the same browser. */
    openBeside: async ({ context }: Tab) => watch(await context.newPage(), tabs),
    /** A browser that outlives the test, for what is made once for all of them. */
    openForAll: () => site().browser.newContext({ baseURL: site().program.url, ...desktop }),
    get url() {
      return site().program.url;
    },
    get program() {
      return site().program;
    },
  };
}

/** Resolves when the page's script has taken the page over: from then on a click is heard. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const elements = document.querySelectorAll("body *:not(script)");
    return Object.keys(elements[elements.length - 1] ?? {}).some((key) => key.startsWith("__react"));
  });
}

/** Presses what makes the browser load a page, and waits until that page is there and not the one before it. */
export async function loadBy(page: Page, press: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent("load");
  await press();
  await loaded;
}

/** From now on no script file comes, until the function that it answers is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** From now on the page's time stands still but for what `page.clock.runFor` moves it on; CSS keeps its own. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  // A minute ahead: what runs until then may take its time.
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** A message for the next page that this browser opens, as an answer of the server that leads on leaves it. */
export async function leaveToast(context: BrowserContext, url: string, title: string): Promise<void> {
  const value = Buffer.from(JSON.stringify({ title, tone: "success" })).toString("base64url");
  await context.addCookies([{ name: "meishi.toast", value, url }]);
}

/** The keyboard is there, or soon is: what puts it there may come a moment after what is seen. */
export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** Where it stands, in pixels of the window; throws when it is not to be seen. */
export async function boxOf(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`${target.toString()} is not to be seen`);
  return box;
}

function watch(page: Page, tabs: Tab[]): Tab {
  const tab: Tab = { page, context: page.context(), requests: [], complaints: [] };
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) tab.requests.push(request.url());
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !isAnnounced(message.text())) tab.complaints.push(message.text());
  });
  page.on("pageerror", (error) => tab.complaints.push(String(error)));
  tabs.push(tab);
  return tab;
}

/** A browser notes every answer of 400 and more as an error. Refused forms and pages that are not there are none. */
function isAnnounced(text: string): boolean {
  return /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);
}
