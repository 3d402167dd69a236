import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, openSite, phone, reducedMotion, waitForHydration } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

async function openOwner() {
  const tab = await site.open({ ...desktop, ...reducedMotion });
  const owner = await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  const card = await makeCard(tab.context, site.program, { company: "Analytical Engines" });
  const form = { is_on: "on", version: "0", months: "24", "field-name": "required" };
  await tab.context.request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
  return { tab, owner, card };
}

/** A visitor's form that is old enough to be sent. */
async function openForm({ context, page }: Tab, card: string) {
  const path = `${site.url}/card/${card}/connect`;
  const html = await (await context.request.get(path)).text();
  await page.waitForTimeout(2_100);
  return (name: string) =>
    context.request.post(path, {
      form: {
        stamp: fieldValue(html, "stamp"),
        name,
        email: `${crypto.randomUUID()}@example.com`,
        "consent-answer": fieldValue(html, "consent-answer"),
      },
      headers: { origin: site.url },
    });
}

async function show(page: Page, path: string) {
  const connected = page.waitForResponse((response) => response.url().endsWith("/events"), { timeout: 20_000 });
  connected.catch(() => undefined);
  await page.goto(path);
  await waitForHydration(page);
  return { connected };
}

const badge = (page: Page) => page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: /^Leads/ });

test("a new lead is announced in the inbox and counted in the header of two windows, over one connection", async () => {
  const { tab, card } = await openOwner();
  const visitor = await site.open(phone);
  const { connected } = await show(tab.page, "/leads");
  await connected;
  const other = await site.openBeside(tab);
  await show(other.page, "/cards/edit");
  const send = await openForm(visitor, card);
  // Its script is loaded three seconds after the page.
  await other.page.waitForTimeout(4_000);
  expect(await badge(other.page).innerText()).toBe("Leads");
  expect((await send("Grace Hopper")).status()).toBe(200);
  const button = tab.page.getByRole("status").getByRole("button", { name: "1 new lead", exact: true });
  await button.waitFor();
  expect(await findAxeViolations(tab.page)).toEqual([]);
  for (const { page } of [tab, other]) await expect.poll(() => badge(page).innerText()).toContain("1 unread");
  const requests = [...tab.requests, ...other.requests].filter((url) => url.endsWith("/events"));
  expect(requests).toHaveLength(1);
  await button.press("Enter");
  await tab.page.getByRole("link", { name: /Grace Hopper/ }).waitFor();
  expect(await button.count()).toBe(0);
  await tab.page.getByRole("link", { name: /Grace Hopper/ }).click();
  await tab.page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
  await expect.poll(() => badge(tab.page).innerText()).toBe("Leads");
});

test("what is selected and typed in the inbox stays until the new leads are loaded", async () => {
  const { tab, card } = await openOwner();
  const visitor = await site.open(phone);
  await (
    await openForm(visitor, card)
  )("Grace Hopper");
  const { connected } = await show(tab.page, "/leads");
  await connected;
  const box = tab.page.getByRole("checkbox", { name: "Select Grace Hopper" });
  await box.check();
  await tab.page.getByLabel("Tag to add").fill("Fair");
  await (
    await openForm(visitor, card)
  )("Ada King");
  await tab.page.getByRole("button", { name: "1 new lead", exact: true }).waitFor();
  expect(await box.isChecked()).toBe(true);
  expect(await tab.page.getByLabel("Tag to add").inputValue()).toBe("Fair");
  expect(await tab.page.getByRole("link", { name: /Ada King/ }).count()).toBe(0);
});
