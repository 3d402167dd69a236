import type { Page } from "playwright-core";

import { hydrated } from "./browser.ts";
import type { Site, Tab } from "./browser.ts";
import { saveProfile, signUp } from "./members.ts";

export const letters = ["A", "B", "C", "D"].map((label) => ({ label, url: `https://${label.toLowerCase()}.example` }));

/** The profile editor of somebody new, whose profile says `words`. */
export async function openEditor(site: Site, words?: Parameters<typeof saveProfile>[2]): Promise<Tab> {
  const tab = await site.open();
  await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  if (words) await saveProfile(tab.context, site.program, words);
  await tab.page.goto("/profile");
  await hydrated(tab.page);
  return tab;
}

export function save(page: Page) {
  return page.getByRole("button", { name: "Save & Close" }).click();
}

export async function addLink(page: Page, name: string, url: string) {
  await page.getByRole("button", { name: "Add link" }).click();
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(url);
  await page.keyboard.press("Tab");
}

/** What asks before something goes. */
export function question(page: Page, name: string) {
  return page.getByRole("dialog", { name });
}
