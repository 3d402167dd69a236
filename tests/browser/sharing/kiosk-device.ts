import type { BrowserContext, Page } from "playwright-core";

import type { Site, Tab } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const tablet = { viewport: { width: 1180, height: 820 }, hasTouch: true, serviceWorkers: "allow" } as const;

const leadForm = {
  is_on: "on",
  version: "0",
  months: "24",
  "field-name": "required",
  "field-phone": "hidden",
  "field-company": "optional",
  "field-note": "optional",
};

export type Owner = Awaited<ReturnType<typeof openOwner>>;

/** An owner with a card that has the form. */
export async function openOwner(site: Site, email: string) {
  const context = await site.openForAll();
  const { state } = await signUp(context, site.program, email);
  const card = await makeCard(context, site.program, { company: "Analytical Engines" });
  const post = async (path: string, form: Record<string, string>) => {
    const response = await context.request.post(site.url + path, {
      form,
      headers: { origin: site.url },
      maxRedirects: 0,
    });
    return response.text();
  };
  const saveForm = (change: Record<string, string> = {}) => post(`/cards/${card}/leads`, { ...leadForm, ...change });
  await saveForm();
  const { is_on: _, ...off } = leadForm;
  return {
    state,
    card,
    saveForm,
    switchFormOff: () => post(`/cards/${card}/leads`, { ...off, version: "1" }),
    async createLink() {
      const page = await post(`/cards/${card}/kiosk`, { intent: "create", name: "Tablet" });
      return /\/kiosk\/[\w-]{43}/.exec(page)?.[0] ?? "";
    },
    async removeLinks() {
      const page = await (await context.request.get(`${site.url}/cards/${card}/kiosk`)).text();
      for (const [, id = ""] of page.matchAll(/name="id" value="([^"]+)"/g))
        await post(`/cards/${card}/kiosk`, { intent: "remove", id });
    },
    /** The names of all leads, in alphabetical order. */
    async leads(): Promise<string[]> {
      const csv = await (await context.request.get(`${site.url}/leads/export.csv`)).text();
      return [...csv.matchAll(/Visitor \w+ of the booth/g)].map(([name]) => name).toSorted();
    },
  };
}

/** A tablet on which the kiosk link was opened and is ready to start without a network. */
export async function openTablet(site: Site, path: string): Promise<Tab> {
  const tab = await site.open(tablet);
  await tab.page.goto(path);
  await readyForOffline(tab.page);
  return tab;
}

/** Waits until the page is stored and its service worker would serve it. */
export async function readyForOffline(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const stored = await caches.match(location.pathname, { cacheName: "meishi-kiosk" });
    return stored !== undefined && navigator.serviceWorker.controller?.state === "activated";
  });
}

/**
 * Loads the page again without a network. Where Chromium can't start the service worker it asks the network instead, and a visitor would
 * load the page once more.
 */
export async function reloadOffline(page: Page): Promise<void> {
  await page.reload().catch(() => page.reload());
}

export function visitorName(word: string): string {
  return `Visitor ${word} of the booth`;
}

/** Types what a visitor types, without sending it. */
export async function fillIn(page: Page, word: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(visitorName(word));
  await page.getByRole("textbox", { name: "Email" }).fill(`${word}@example.org`);
  await page.getByRole("checkbox").first().check();
}

/** Fills in the form, sends it, and waits for the thanks. */
export async function sendVisitor(page: Page, word: string): Promise<void> {
  await fillIn(page, word);
  await page.getByRole("button", { name: "Share your details" }).click();
  await page.getByRole("heading", { name: "has your details" }).waitFor();
}

export async function nextVisitor(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next visitor" }).click();
  await page.getByRole("heading", { name: "Leave your contact" }).waitFor();
}

/** All that the browser stores for the site, as text. */
export async function storedText({ page, context }: { page: Page; context: BrowserContext }): Promise<string> {
  const cached = await page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const responses = (await Promise.all(stores.map((cache) => cache.matchAll()))).flat();
    const texts = await Promise.all(responses.map((response) => response.text()));
    return [JSON.stringify({ ...sessionStorage }), ...texts].join("\n");
  });
  return `${cached}\n${JSON.stringify(await context.storageState({ indexedDB: true }))}`;
}

/** Makes the first of the waiting contacts look as if its form had been loaded so many days ago. */
export async function makeFirstEntryOld(page: Page, days: number): Promise<void> {
  await page.evaluate(async (ms) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("meishi-kiosk");
      request.addEventListener("success", () => resolve(request.result));
    });
    const change = db.transaction("waiting", "readwrite");
    const store = change.objectStore("waiting");
    store.getAll().addEventListener("success", ({ target }) => {
      const [first] = (target as IDBRequest<{ loadedAt: number }[]>).result;
      if (first) store.put({ ...first, loadedAt: first.loadedAt - ms });
    });
    await new Promise((resolve) => change.addEventListener("complete", resolve));
    db.close();
  }, days * 86_400_000);
}
