import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Drags the row of a list by its handle, which is at `x`, `y`, over `by` pixels; the button is still pressed then. */
export async function dragRow(page: Page, { x, y, by }: { x: number; y: number; by: number }): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  // The script for it may just be coming; until then nothing follows the pointer. A move to where it is already would be none.
  let moves = 0;
  const nudge = async () => {
    await page.mouse.move(x, y + (++moves % 2));
    return page.locator("li[data-dragged]").count();
  };
  await expect.poll(nudge).toBe(1);
  await page.mouse.move(x, y + by, { steps: 8 });
}
