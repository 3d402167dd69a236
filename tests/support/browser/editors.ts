import type { Page } from "playwright-core";
import { expect } from "vitest";

import { openPage } from "./site.ts";
import type { Site, Tab } from "./site.ts";
import { saveProfile, openUser } from "./users.ts";

export const letters = ["A", "B", "C", "D"].map((label) => ({ label, url: `https://${label.toLowerCase()}.example` }));

/** Opens the profile editor as a new user; `words` are saved first. */
export async function openEditor(site: Site, words?: Parameters<typeof saveProfile>[2]): Promise<Tab> {
  const tab = await openUser(site);
  if (words) await saveProfile(tab.context, site.program, words);
  await openPage(tab.page, "/profile");
  return tab;
}

export function save(page: Page) {
  return page.getByRole("button", { name: "Save & Close" }).click();
}

export async function addLink(page: Page, name: string, url: string) {
  await page.getByRole("button", { name: "Add link" }).click();
  await page.keyboard.type(url);
  // Selects the name that was filled in.
  await page.keyboard.press("Tab");
  await page.keyboard.type(name);
  await page.keyboard.press("Tab");
}

export function confirmDialog(page: Page, name: string) {
  return page.getByRole("dialog", { name });
}

/** Drags a list row by its handle at `x`, `y` over `by` pixels, without releasing the button. */
export async function dragRow(page: Page, { x, y, by }: { x: number; y: number; by: number }): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  // The script may still be loading. A move to the current position would fire no event.
  let moves = 0;
  const nudge = async () => {
    await page.mouse.move(x, y + (++moves % 2));
    return page.locator("li[data-dragged]").count();
  };
  await expect.poll(nudge).toBe(1);
  await page.mouse.move(x, y + by, { steps: 8 });
}
