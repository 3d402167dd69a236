import { expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, narrow, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

test("previews a design while it is chosen, and visitors get the saved one", async () => {
  const { page, context, consoleErrors } = await site.open(desktop);
  await signUp(context, site.program, "design@example.com");
  const id = await makeCard(context, site.program, { company: "Engines" });
  await page.goto(`/cards/edit/${id}`);
  await waitForHydration(page);
  const company = page.getByRole("region", { name: "Business card", includeHidden: true }).getByText("Engines");
  const colorOf = () => company.evaluate((element) => getComputedStyle(element).color);
  for (const [name, color] of [
    ["Emerald", "rgb(5, 105, 76)"],
    ["Dark", "rgb(110, 231, 183)"],
  ] as const) {
    await page.getByRole("radio", { name, exact: true }).check();
    await expect.poll(colorOf).toBe(color);
  }
  await page.getByRole("radio", { name: "Centered" }).check();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Business card updated successfully.").waitFor();

  const visitor = await site.open(narrow);
  await visitor.page.goto(`/card/${id}`);
  const card = visitor.page.getByRole("region", { name: "Business card" });
  expect(await card.evaluate((element) => getComputedStyle(element).textAlign)).toBe("center");
  const shown = card.getByText("Engines");
  expect(await shown.evaluate((element) => getComputedStyle(element).color)).toBe("rgb(110, 231, 183)");
  expect(await findAxeViolations(visitor.page)).toEqual([]);
  expect([consoleErrors, visitor.consoleErrors]).toEqual([[], []]);
});
