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

test("offers what the plan includes, without script too", async () => {
  const { page, context } = await site.open({ ...narrow, javaScriptEnabled: false });
  await signUp(context, site.program, "design-plain@example.com");
  const id = await makeCard(context, site.program, {});
  await page.goto(`/cards/edit/${id}`);
  const group = page.getByRole("radiogroup", { name: "Accent color" });
  expect(await group.getByRole("radio").count()).toBe(5);
  expect(await group.getByText("Pro").count()).toBe(0);
  await group.getByRole("radio", { name: "Blue" }).check();
  await page.getByRole("radio", { name: "Photo cover" }).check();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.waitForURL(`**/cards/edit/${id}`);
  await page.goto(`/cards/edit/${id}`);
  expect(await page.getByRole("radio", { name: "Blue" }).isChecked()).toBe(true);
  expect(await page.getByRole("radio", { name: "Photo cover" }).isChecked()).toBe(true);
});
