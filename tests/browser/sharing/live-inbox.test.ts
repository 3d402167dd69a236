import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { makeFormStamp } from "#app/features/leads/public/lead-form.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, openSite, phone, reducedMotion, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

/** A visitor who shares their contact with a form that was opened a minute ago. */
async function openVisitor(card: string) {
  const { context } = await site.open(phone);
  const path = `${site.url}/card/${card}/connect`;
  const agreed = fieldValue(await (await context.request.get(path)).text(), "consent-answer");
  const { auth } = JSON.parse(readFileSync(`${site.program.dataDir}/secrets.json`, "utf8"));
  return async (name: string) => {
    const opened = { id: crypto.randomUUID(), openedAt: Date.now() - 60_000, source: "" } as const;
    const stamp = makeFormStamp(createTextSigner(auth), opened, card);
    const form = { stamp, name, email: `${opened.id}@example.com`, "consent-answer": agreed };
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
  const tab = await site.open({ ...desktop, ...reducedMotion });
  const { page, context } = tab;
  await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
  const card = await makeCard(context, site.program, { company: "Analytical Engines" });
  const form = { is_on: "on", version: "0", months: "24", "field-name": "required" };
  await context.request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
  const share = await openVisitor(card);
  await share("Ada King");
  await page.goto("/leads");
  await waitForHydration(page);
  await waitUntilLive(page);
  const other = await site.openBeside(tab);
  await other.page.goto("/cards/edit");
  await waitUntilLive(other.page);
  const badge = (one: Page) =>
    one
      .getByRole("navigation", { name: "Account" })
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
