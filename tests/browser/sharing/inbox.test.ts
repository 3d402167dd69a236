import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";

import { makeFormToken } from "#app/features/leads/lead-form.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, expectFocus, openSite, phone, reducedMotion, openPage } from "#tests/support/browser/site.ts";
import { makeCard, signUp, openUser } from "#tests/support/browser/users.ts";
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

async function open(path: string) {
  const tab = await site.open({ ...desktop, storageState: owner.state });
  const print = vi.fn<() => void>();
  await tab.page.exposeFunction("print", print);
  await openPage(tab.page, path);
  return { ...tab, print };
}

/** Presses Print; returns what has no use on paper, and texts that are cut off. */
async function printPage({ page, print }: Awaited<ReturnType<typeof open>>) {
  await page.getByRole("button", { name: /^More actions for/ }).click();
  await page.getByRole("menuitem", { name: "Print" }).click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  await page.emulateMedia({ media: "print" });
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
  const tab = await open("/leads?tag=Fair");
  expect(await printPage(tab)).toEqual([]);
  expect(await tab.page.getByText("Only: Fair").isVisible()).toBe(true);
  const item = await tab.page.getByRole("listitem").filter({ hasText: "Met at booth 4" }).innerText();
  // A time alone says nothing on another day.
  const details = ["Grace Hopper", "Navy", "grace@example.com", "+1 555 0100", "please send the deck.", "QR code"];
  for (const text of [...details, "Your note: Call", "Nov 22, 2026, 00:00"]) expect(item).toContain(text);
});

test("a printed lead has its details, notes and consent, and nothing to press", async () => {
  const tab = await open(`/leads/lead-0-${owner.id}`);
  expect(await printPage(tab)).toEqual([]);
  const text = await tab.page.locator("main").innerText();
  const details = ["Grace Hopper", "Navy", "grace@example.com", "+1 555 0100", "Met at booth 4", "may use my details"];
  for (const part of [...details, "Status\nNew", "Follow up on\nNov 20, 2026", "Fair", "Grace Murray"])
    expect(text).toContain(part);
});

test("the bar counts the selected leads, offers to merge from the second one on, and is reached with the keyboard", async () => {
  const { page } = await open("/leads");
  const all = page.getByRole("checkbox", { name: "Select all" });
  const boxes = page.getByRole("checkbox", { name: "Select Grace Hopper" });
  const bar = page.getByRole("group", { name: "With the selected leads" });
  const merge = bar.getByRole("button", { name: "Merge" });
  await all.check();
  expect(await boxes.first().isChecked()).toBe(true);
  await boxes.first().uncheck();
  expect(await all.isChecked()).toBe(false);
  await boxes.first().check();
  expect(await all.isChecked()).toBe(true);
  await all.uncheck();
  await boxes.nth(1).check();
  expect(await bar.innerText()).toContain("1 selected");
  expect(await merge.count()).toBe(0);
  await boxes.first().press("Space");
  expect(await bar.innerText()).toContain("2 selected");
  expect(await merge.isVisible()).toBe(true);
  await boxes.nth(1).uncheck();

  await page.getByLabel("Tag to add").fill("Printed");
  await page.getByRole("button", { name: "Add tag" }).click();
  const toast = page.getByText("Tag added to 1 lead");
  await toast.waitFor();
  await page.emulateMedia({ media: "print" });
  await toast.waitFor({ state: "hidden" });
  await page.emulateMedia({ media: "screen" });

  await boxes.first().uncheck();
  await boxes.first().press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expectFocus(page.getByLabel("Tag to add"));
  for (let button = 0; button < 4; button++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("1 lead deleted").waitFor();
  await expectFocus(page.getByRole("button", { name: "Undo" }));
  await page.keyboard.press("Enter");
  await page.getByText("1 lead restored").waitFor();
});

test("a lead that was deleted since the list was read leads to an error page with its styles", async () => {
  const { page } = await open("/leads");
  const other = page.getByRole("link", { name: "ليلى الحسن" });
  const path = (await other.getAttribute("href")) ?? "";
  await page.request.post(path, { form: { intent: "delete" }, headers: { origin: site.program.url } });
  await other.click();
  const heading = page.getByRole("heading", { name: "Page not found" });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((element) => getComputedStyle(element).fontFamily)).toContain("Georgia");
});

test("a lead's notes stay when they can't be sent or saved, a rejected one gets the focus, and leaving asks", async () => {
  const { page } = await open(`/leads/lead-1-${owner.id}`);
  const save = () => page.getByRole("button", { name: "Save", exact: true }).click();
  const leave = () => page.getByRole("link", { name: "Leads", exact: true }).last().click();
  const tags = page.getByLabel("Tags");
  const typed = "x".repeat(31);
  await tags.fill(typed);
  await leave();
  await page.getByRole("button", { name: "Stay" }).click();
  await page.route("**/leads/lead-1-*", (route) => route.abort("internetdisconnected"));
  await save();
  await page.getByText("You are offline.").waitFor();
  expect(await tags.inputValue()).toBe(typed);
  await page.unroute("**/leads/lead-1-*");
  await save();
  await page.getByText("Use at most 30 characters").waitFor();
  await expectFocus(tags);
  await tags.fill("Amman");
  await save();
  await page.getByText("Saved", { exact: true }).waitFor();
  await leave();
  await page.waitForURL("**/leads");
});

/** A visitor who shares their contact with a form that was opened a minute ago. */
async function openVisitor(card: string) {
  const { context } = await site.open(phone);
  const path = `${site.url}/card/${card}/connect`;
  const agreed = fieldValue(await (await context.request.get(path)).text(), "consent-answer");
  const { auth } = JSON.parse(readFileSync(`${site.program.dataDir}/secrets.json`, "utf8"));
  return async (name: string) => {
    const opened = { id: crypto.randomUUID(), openedAt: Date.now() - 60_000, source: "" } as const;
    const formToken = makeFormToken(createTextSigner(auth), opened, card);
    const form = { formToken, name, email: `${opened.id}@example.com`, "consent-answer": agreed };
    const sent = await context.request.post(path, { form, headers: { origin: site.url } });
    expect(await sent.text()).toContain("Thanks");
  };
}

/** Waits until what counts the leads is loaded, some seconds after the page. */
function waitUntilLive(page: Page) {
  return page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/unread-status-")),
  );
}

test("a new lead is announced in the inbox and counted in two windows over one connection, and what is selected stays", async () => {
  const tab = await openUser(site, { ...desktop, ...reducedMotion });
  const { page, context } = tab;
  const card = await makeCard(context, site.program, { company: "Analytical Engines" });
  const form = { is_on: "on", version: "0", months: "24", "field-name": "required" };
  await context.request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
  const share = await openVisitor(card);
  await share("Ada King");
  await openPage(page, "/leads");
  await waitUntilLive(page);
  const other = await site.openBeside(tab);
  await other.page.goto("/cards/edit");
  await waitUntilLive(other.page);
  const badge = (one: Page) =>
    one
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /^Leads/ })
      .innerText();
  const box = page.getByRole("checkbox", { name: "Select Ada King" });
  await box.check();
  await page.getByLabel("Tag to add").fill("Fair");

  await share("Grace Hopper");
  const button = page.getByRole("status").getByRole("button", { name: "1 new lead", exact: true });
  await button.waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  for (const one of [page, other.page]) await expect.poll(() => badge(one)).toContain("2 unread");
  expect([...tab.requests, ...other.requests].filter((url) => url.endsWith("/events"))).toHaveLength(1);
  expect(await box.isChecked()).toBe(true);
  expect(await page.getByLabel("Tag to add").inputValue()).toBe("Fair");
  const lead = page.getByRole("link", { name: /Grace Hopper/ });
  expect(await lead.count()).toBe(0);

  await button.press("Enter");
  await lead.waitFor();
  expect(await button.count()).toBe(0);
  await lead.click();
  await page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
  await expect.poll(() => badge(page)).toContain("1 unread");
});
