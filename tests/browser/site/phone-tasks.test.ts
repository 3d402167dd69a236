import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { openPage, openSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { insertLeads, makePremium } from "#tests/support/program/database.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;

/** An owner with two cards that have the same phone number, the contact form on one, and leads. */
beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "tasks@example.com");
  makePremium(site.program, owner.id);
  const contact = { email: "ada@example.com", phone: "+44 20 7946 0000" };
  const card = await makeCard(context, site.program, { card_name: "Work", ...contact });
  await makeCard(context, site.program, { card_name: "Fair", ...contact });
  const form = { is_on: "on", version: "0", months: "24", "field-name": "required", "field-phone": "optional" };
  await context.request.post(`${site.url}/cards/${card}/leads`, { form, headers: { origin: site.url } });
  insertLeads(site.program, { ownerId: owner.id, cardId: card });
  await context.close();
});

/** Starts at home on a phone. `tap` counts; the names are those that a screen reader says. */
async function startTask() {
  const { page } = await site.open({ ...phone, storageState: owner.state });
  await openPage(page, "/home");
  let taps = 0;
  const tap = async (control: Locator) => {
    taps++;
    await control.tap();
  };
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const section = (name: RegExp) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  return { page, tap, link, button, section, taps: () => taps };
}

type Task = Awaited<ReturnType<typeof startTask>>;

/** What people open the app for, and in how many taps it is done; typing comes on top. */
const tasks: [name: string, limit: number, work: (task: Task) => Promise<unknown>][] = [
  [
    "shows the QR code",
    1,
    async ({ page, tap, link }) => {
      await tap(link("My QR"));
      await page
        .getByRole("img", { name: /QR code/ })
        .first()
        .waitFor();
    },
  ],
  [
    "adds a link",
    3,
    async ({ page, tap, link, button }) => {
      await tap(link("Edit links"));
      await page.waitForURL("**/profile#links");
      await waitForHydration(page);
      await tap(button("Add Link"));
      await expectTyping(page);
    },
  ],
  [
    "changes a phone number on two cards",
    5,
    async ({ page, tap, link, button }) => {
      await tap(link("Edit Work"));
      await page.waitForURL("**/cards/edit/*");
      await waitForHydration(page);
      const field = page.getByLabel("Phone", { exact: true });
      await tap(field);
      await field.fill("+44 20 7946 0999");
      await tap(page.getByLabel("Also change the phone on 1 other card"));
      await tap(button("Save Changes"));
      await page.getByText("1 other card was changed too.").waitFor();
    },
  ],
  [
    "copies the email signature",
    3,
    async ({ page, tap, link, button }) => {
      await tap(link("Share Work"));
      await tap(link(/^Email signature/));
      await tap(button("Copy signature"));
      await page
        .getByText(/copied/i)
        .first()
        .waitFor();
    },
  ],
  [
    "exports the leads",
    2,
    async ({ page, tap, link, section }) => {
      await tap(section(/Leads$/));
      const download = page.waitForEvent("download");
      await tap(link("Export CSV"));
      expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    },
  ],
  [
    "opens a lead of this week",
    3,
    async ({ page, tap, link, section }) => {
      await tap(section(/Leads$/));
      await tap(link("This week"));
      await page.waitForURL(/[?&]/);
    },
  ],
  [
    "answers a lead",
    2,
    async ({ page, tap, link }) => {
      await tap(link(/Grace Hopper/).first());
      await tap(link("Email"));
      await page.getByRole("heading", { name: /Reply/ }).waitFor();
    },
  ],
  // The last one: it locks the session.
  [
    "hands the phone over",
    2,
    async ({ page, tap, link, button }) => {
      await tap(link("Hand over this phone"));
      await tap(button("Hand over this phone"));
      await page.getByRole("heading", { name: "Leave your contact" }).waitFor();
    },
  ],
];

test.for(tasks)("on a phone, an owner %s in at most %i taps", async ([, limit, work]) => {
  const task = await startTask();
  await work(task);
  expect(task.taps()).toBeLessThanOrEqual(limit);
});

async function expectTyping(page: Page) {
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches("input, textarea") ?? false)).toBe(true);
}
