import type { BrowserContextOptions, Page } from "playwright-core";

import { waitForHydration } from "#tests/support/browser/site.ts";
import type { Site, Tab } from "#tests/support/browser/site.ts";

import type { ScreenAccounts } from "./accounts.ts";

type Prepare = (page: Page) => Promise<unknown>;

/** A state of the product to check. */
export type Screen = {
  name: string;
  as: keyof ScreenAccounts["people"] | "visitor";
  path: string;
  /** Brings the opened page into the state. */
  prepare?: Prepare;
  /** Sets a cookie that changes other pages, such as a toast, so it needs a browser context of its own. */
  isAlone?: true;
  /** The server answers 500. */
  isCrash?: true;
};

type Row = readonly [name: string, path: string, prepare?: Prepare];

/** The screens that one of the accounts sees. */
export function screensOf(as: Screen["as"], rows: Row[], more: Pick<Screen, "isAlone" | "isCrash"> = {}): Screen[] {
  return rows.map(([name, path, prepare]) => ({ name, as, path, ...(prepare && { prepare }), ...more }));
}

/** Presses a button, and waits for a text if there is one. */
export function press(name: string, text?: string | RegExp): Prepare {
  return async (page) => {
    await page.getByRole("button", { name, exact: true }).first().click();
    if (text) await page.getByText(text).first().waitFor();
  };
}

/** Fills in the fields with these labels, then presses a button. */
export function fillIn(fields: Record<string, string>, button: string, text?: string | RegExp): Prepare {
  return async (page) => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
    await press(button, text)(page);
  };
}

/** Opens a part of the page that is folded. */
export function unfold(title: string): Prepare {
  return (page) => page.locator("summary", { hasText: title }).first().click();
}

/** One after the other. */
export function both(...steps: Prepare[]): Prepare {
  return async (page) => {
    for (const step of steps) await step(page);
  };
}

/** `requests`: all URLs requested since the screen was opened. */
export type ScreenCheck = (page: Page, screen: Screen, requests: readonly string[]) => Promise<void>;

/** Opens the screens on a device with reduced motion and runs `look` on each, two at a time. */
export async function visitScreens(site: Site, { list, cast, device }: WalkOptions, look: ScreenCheck) {
  const browsers = new Map<string, Promise<Tab>>();
  const browserOf = (screen: Screen) => {
    const known = (!screen.isAlone && browsers.get(screen.as)) || openFor(screen);
    if (!screen.isAlone) browsers.set(screen.as, known);
    return known;
  };
  const openFor = (screen: Screen) => site.open({ reducedMotion: "reduce", ...device, ...sessionOf(screen, cast) });
  const waiting = list.values();
  const goThrough = async () => {
    for (const screen of waiting) {
      const { page, requests, consoleErrors } = await site.openBeside(await browserOf(screen));
      await page.goto(screen.path);
      await waitUntilReady(page);
      if (screen.as !== "visitor" && new URL(page.url()).pathname === "/auth")
        throw new Error(`${screen.name}: the session of this account has ended`);
      await screen.prepare?.(page);
      await waitUntilReady(page);
      await look(page, screen, requests);
      await page.close();
      if (screen.isCrash) expectCrash(consoleErrors);
    }
  };
  await Promise.all([goThrough(), goThrough()]);
}

/** Waits for the load event, and for hydration if the page has scripts. */
async function waitUntilReady(page: Page) {
  await page.waitForLoadState();
  if (await page.locator(scripts).count()) await waitForHydration(page);
}

/** Our hydration scripts: immediate, on idle, or already started. */
const scripts = "script[data-later], script[type=module][nonce], head > script[type=module]";

type WalkOptions = { list: Screen[]; cast: ScreenAccounts; device: BrowserContextOptions };

/** Chromium logs a 500 as an error; here it is expected. */
function expectCrash(complaints: string[]) {
  const noted = complaints.findIndex((text) => text.includes("responded with a status of 500"));
  if (noted < 0) throw new Error("The server did not answer 500");
  complaints.splice(noted, 1);
}

function sessionOf({ as }: Screen, { people }: ScreenAccounts): BrowserContextOptions {
  return as === "visitor" ? {} : { storageState: people[as].state };
}
