import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { createToastCookies, redirectWithToast } from "#app/services/http/toast.server.ts";

import { launchChromium } from "./chromium.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

export type Site = ReturnType<typeof openSite>;

/** A tab of a browser; `requests` are the addresses it has requested since it was opened. */
export type Tab = { page: Page; context: BrowserContext; requests: string[]; consoleErrors: string[] };

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

/** For tests that click: what moves while it is scrolled to could slip away from under the pointer. */
export const reducedMotion = { reducedMotion: "reduce" } satisfies BrowserContextOptions;

type Running = { program: Program; browser: Browser; stop: () => Promise<unknown> };

let sharedProgram: Promise<Program> | undefined;
let sharedBrowser: Promise<Browser> | undefined;

export const operators = { ADMIN_EMAILS: "operator@example.com, second@example.com" };

/** What the shared program has turned on, so that every screen can be looked at. */
export const sharedSettings = { ...operators, WEB3_SIGN_IN: "on" };

/** One program for all files of a worker; it ends with the worker. */
function shareProgram(): Promise<Program> {
  return (sharedProgram ??= startProgram(sharedSettings, { endsWithParent: true }));
}

/** One Chromium for all files of a worker; Playwright closes it when the worker receives the signal to stop. */
function shareBrowser(): Promise<Browser> {
  return (sharedBrowser ??= launchChromium());
}

/**
 * The built program and a Chromium, both shared by the files of a worker: a test makes its own users. What a test opened is closed
 * after it. No tab may have had an error in its console, which is where browsers report violations of the CSP.
 */
export function openSite(options: SiteOptions = {}) {
  const start = async () => {
    const [program, browser] = await Promise.all([shareProgram(), shareBrowser()]);
    return { program, browser, stop: async () => undefined };
  };
  return connect(start, options);
}

/** `isOffline`: pages are loaded without a network, which Chromium notes for each request that a service worker doesn't answer. */
type SiteOptions = { isOffline?: boolean };

/** The same with a program of its own, for a file that needs settings, an empty database or fixed addresses and handles. */
export function openOwnSite(
  env: Record<string, string> | (() => Promise<Record<string, string>>) = {},
  options: SiteOptions = {},
) {
  const start = async () => {
    const settings = typeof env === "function" ? await env() : env;
    const [program, browser] = await Promise.all([startProgram(settings), shareBrowser()]);
    return { program, browser, stop: program.remove };
  };
  return connect(start, options);
}

function connect(start: () => Promise<Running>, { isOffline = false }: SiteOptions) {
  let running: Running | undefined;
  const tabs: Tab[] = [];
  const lastingContexts: BrowserContext[] = [];

  beforeAll(async () => {
    running = await start();
    if (!(await running.program.isUp())) throw new Error(running.program.errors());
  });
  afterEach(async () => {
    const closing = tabs.splice(0);
    await Promise.all([...new Set(closing.map(({ context }) => context))].map((context) => context.close()));
    const logged = closing.flatMap((tab) => tab.consoleErrors);
    const consoleErrors = logged.filter((text) => !isOffline || !text.includes("ERR_FAILED"));
    expect(consoleErrors, consoleErrors.length > 0 ? loggedErrors(site().program) : "").toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(lastingContexts.map((context) => context.close()));
    await running?.stop();
  });

  function site() {
    if (!running) throw new Error("The site can be used in tests and hooks only.");
    return running;
  }

  /** A browser context with its own cookies and cache, closed after the test. */
  async function open(options: BrowserContextOptions = desktop): Promise<Tab> {
    const context = await site().browser.newContext({ baseURL: site().program.url, ...options });
    context.setDefaultTimeout(120_000);
    return recordTab(await context.newPage(), tabs);
  }

  return {
    open,
    /** One more tab in the same context. */
    async openBeside({ context }: Tab) {
      const page = await context.newPage();
      // A tab opened while another one closes may stay hidden, and a hidden tab draws no frames.
      await page.bringToFront();
      return recordTab(page, tabs);
    },
    /** A context that outlives the test, for what all tests of a file need. */
    async openForAll(): Promise<BrowserContext> {
      const context = await site().browser.newContext({ baseURL: site().program.url, ...desktop });
      lastingContexts.push(context);
      return context;
    },
    get url() {
      return site().program.url;
    },
    get program() {
      return site().program;
    },
  };
}

/** The last errors in the program's log, for the message of a test that failed. */
function loggedErrors(program: Program): string {
  const errors = program
    .output()
    .split("\n")
    .filter((line) => /"level":[56]0/.test(line));
  return ["the log of the program:", ...errors.slice(-5)].join("\n");
}

export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const elements = document.querySelectorAll("body *:not(script)");
    return Object.keys(elements[elements.length - 1] ?? {}).some((key) => key.startsWith("__react"));
  });
}

/** Opens a page, and waits until its scripts have taken over. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** Runs `press`, which makes the browser load a page, and waits for that page. */
export async function waitForLoad(page: Page, press: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent("load");
  await press();
  await loaded;
}

/** Holds back all scripts until the returned function is called. */
export async function blockScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** Stops the page's clock: only `page.clock.runFor` moves it. CSS animations go on. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.install();
  // A minute ahead: what runs until then may take its time.
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Sets a message for the next page, signed with the running program's secret. */
export async function setToastCookie(
  context: BrowserContext,
  { url, dataDir }: { url: string; dataDir: string },
  title: string,
): Promise<void> {
  const { auth: secret } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
  const cookies = createToastCookies({ config: { baseUrl: url }, sign: createTextSigner(secret) });
  const cookie = cookies.takeCookie(redirectWithToast("/", { title, tone: "success" }).headers);
  const [name = "", value = ""] = cookie?.split(";")[0]?.split("=") ?? [];
  await context.addCookies([{ name, value, url }]);
}

export async function expectFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
}

/** The element's box in pixels of the viewport; waits until it is visible. Hydration may replace an element while it is measured. */
export async function boxOf(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const measure = async () => {
    const box = await target.boundingBox();
    if (!box) throw new Error(`${target.toString()} is not to be seen`);
    return box;
  };
  return vi.waitFor(measure, { timeout: 120_000 });
}

/** Whether the element is inside the window and nothing covers its corners. */
export function isOnTop(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y] as const));
    return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  });
}

function recordTab(page: Page, tabs: Tab[]): Tab {
  const tab: Tab = { page, context: page.context(), requests: [], consoleErrors: [] };
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) tab.requests.push(request.url());
  });
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !isExpected(text)) tab.consoleErrors.push(text);
  });
  page.on("pageerror", (error) => tab.consoleErrors.push(String(error)));
  tabs.push(tab);
  return tab;
}

const expectedErrors = [
  // Chromium logs every response from 400 up as an error. Rejected forms and missing pages are expected.
  /^Failed to load resource: the server responded with a status of 4\d\d/,
  // A test switched the network off. The second is about a newer service worker, for which Chromium looks at times of its own.
  /ERR_INTERNET_DISCONNECTED/,
  /^An unknown error occurred when fetching the script/,
  // Once in thousands of pages, on a busy machine, Chromium logs that it may not "connect" to the data: URL of an image that is shown.
  // No script of ours requests one, and the policy blocks it.
  /^Connecting to 'data:image\/svg\+xml,/,
];

function isExpected(text: string): boolean {
  return expectedErrors.some((expected) => expected.test(text));
}
