import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";

import { desktop, expectFocus, openSite, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { insertLeads } from "#tests/support/program/database.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "printed-leads@example.com");
  const card = await makeCard(context, site.program, { company: "Analytical Engines" });
  insertLeads(site.program, { ownerId: owner.id, cardId: card });
  await context.close();
});

async function print(path: string) {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto(path);
  await waitForHydration(page);
  await page.emulateMedia({ media: "print" });
  return page;
}

/** What has no use on paper, and texts that are cut off. */
function findUnprintable(page: Page) {
  return page.evaluate(() => {
    const isSeen = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
    const controls = [...document.querySelectorAll("nav, button, input, select, textarea, a.rounded-control")];
    const texts = [...document.querySelectorAll<HTMLElement>("main *")].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1 && clientWidth > 1,
    );
    return [...controls.filter(isSeen), ...texts.filter(isSeen)].map(({ outerHTML }) => outerHTML.slice(0, 120));
  });
}

test("a printed inbox has all of each lead, and nothing to press", async () => {
  const page = await print("/leads?tag=Fair");
  expect(await findUnprintable(page)).toEqual([]);
  expect(await page.getByText("Only: Fair").isVisible()).toBe(true);
  const item = await page.getByRole("listitem").filter({ hasText: "Met at booth 4" }).innerText();
  for (const text of ["Grace Hopper", "Navy", "grace@example.com", "+1 555 0100", "please send the deck.", "QR code"])
    expect(item).toContain(text);
  expect(item).toContain("Your note: Call");
  // A time alone says nothing on another day.
  expect(item).toContain("Nov 22, 2026, 00:00");
});

test("a printed page has no toast", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/leads");
  await waitForHydration(page);
  await page.getByRole("checkbox", { name: "Select Grace Hopper" }).first().check();
  await page.getByLabel("Tag to add").fill("Printed");
  await page.getByRole("button", { name: "Add tag" }).click();
  const toast = page.getByText("Tag added to 1 lead");
  await toast.waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await toast.isVisible()).toBe(false);
});

test("a printed lead has its details, notes and consent, and nothing to press", async () => {
  const page = await print(`/leads/lead-0-${owner.id}`);
  expect(await findUnprintable(page)).toEqual([]);
  const text = await page.locator("main").innerText();
  for (const part of [
    "Grace Hopper",
    "Navy",
    "grace@example.com",
    "+1 555 0100",
    "Met at booth 4",
    "may use my details",
  ])
    expect(text).toContain(part);
  for (const part of ["Status\nNew", "Follow up on\nNov 20, 2026", "Fair", "Grace Murray"])
    expect(text).toContain(part);
});

test.each(["/leads", "lead"])("%s has a button that opens the print dialog", async (path) => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  const print = vi.fn<() => void>();
  await page.exposeFunction("print", print);
  await page.goto(path === "lead" ? `/leads/lead-0-${owner.id}` : path);
  await waitForHydration(page);
  await page.getByRole("button", { name: "Print" }).click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
});

test("Select all follows the leads that are selected one by one", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/leads");
  await waitForHydration(page);
  const all = page.getByRole("checkbox", { name: "Select all" });
  const one = page.getByRole("checkbox", { name: "Select Grace Hopper" }).first();
  await all.check();
  expect(await one.isChecked()).toBe(true);
  await one.uncheck();
  expect(await all.isChecked()).toBe(false);
  await one.check();
  expect(await all.isChecked()).toBe(true);
});

test("the keyboard gets from a selected lead to the actions, and from a deletion to its undo", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/leads");
  await waitForHydration(page);
  await page.getByRole("checkbox", { name: "Select Grace Hopper" }).first().press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  expect(await focused()).toBe("Tag to add");
  for (let button = 0; button < 4; button++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("1 lead deleted").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("1 lead restored").waitFor();
});

test("a lead that was deleted since the list was read leads to an error page with its styles", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/leads");
  await waitForHydration(page);
  const other = page.getByRole("link", { name: "ليلى الحسن" });
  const path = (await other.getAttribute("href")) ?? "";
  await page.request.post(path, { form: { intent: "delete" }, headers: { origin: site.program.url } });
  await other.click();
  const heading = page.getByRole("heading", { name: "Page not found" });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((element) => getComputedStyle(element).fontFamily)).toContain("Georgia");
});

test("the bar counts the selected leads, and offers to merge from the second one on", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto("/leads");
  await waitForHydration(page);
  const boxes = page.getByRole("checkbox", { name: "Select Grace Hopper" });
  const bar = page.getByRole("group", { name: "With the selected leads" });
  await boxes.first().check();
  expect(await bar.innerText()).toContain("1 selected");
  expect(await bar.getByRole("button", { name: "Merge" }).count()).toBe(0);
  await boxes.nth(1).check();
  expect(await bar.innerText()).toContain("2 selected");
  expect(await bar.getByRole("button", { name: "Merge" }).isVisible()).toBe(true);
});

test("leaving a lead asks before notes are lost, and a rejected one gets the focus", async () => {
  const { page } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto(`/leads/lead-1-${owner.id}`);
  await waitForHydration(page);
  const tags = page.getByLabel("Tags");
  await tags.fill("x".repeat(31));
  await page.getByRole("link", { name: "Leads", exact: true }).last().click();
  await page.getByRole("button", { name: "Stay" }).click();
  expect(await tags.inputValue()).toBe("x".repeat(31));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Use at most 30 characters").waitFor();
  await expectFocus(tags);
  await tags.fill("Amman");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Leads", exact: true }).last().click();
  await page.waitForURL("**/leads");
});

test("notes that can't be sent stay in the form, and are saved once there is a network", async () => {
  const { page, consoleErrors } = await site.open({ ...desktop, storageState: owner.state });
  await page.goto(`/leads/lead-1-${owner.id}`);
  await waitForHydration(page);
  const note = page.getByLabel("Note", { exact: true });
  await note.fill("Call back");
  await page.route("**/leads/lead-1-*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("You are offline.").waitFor();
  expect(await note.inputValue()).toBe("Call back");
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining("ERR_INTERNET_DISCONNECTED")]);
  await page.unroute("**/leads/lead-1-*");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  expect(await note.inputValue()).toBe("Call back");
});
