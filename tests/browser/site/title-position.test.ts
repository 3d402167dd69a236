import type { BrowserContextOptions } from "playwright-core";
import { beforeAll, expect, test } from "vitest";

import { boxOf, desktop, openPage, openSite, phone } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { insertLeads, makePremium } from "#tests/support/program/database.ts";
import { insertAnalytics } from "#tests/support/program/analytics.ts";

const site = openSite();
let owner: Awaited<ReturnType<typeof signUp>>;
let paths: string[];

beforeAll(async () => {
  const context = await site.openForAll();
  owner = await signUp(context, site.program, "titles@example.com");
  const card = await makeCard(context, site.program, { email: "ada@example.com" });
  // With what Premium adds to headers.
  makePremium(site.program, owner.id);
  insertAnalytics(site.program, { ownerId: owner.id, card, days: 7 });
  insertLeads(site.program, { ownerId: owner.id, cardId: card });
  await context.close();
  const lead = `/leads/lead-0-${owner.id}`;
  const ofCard = ["leads", "pass", "kiosk", "hand-over"].map((page) => `/cards/${card}/${page}`);
  const ofShare = ["", "/qr", "/signature", "/print", "/background", "/nfc", "/offline"];
  paths = [
    ..."/home /cards /leads /leads/new /leads/scan /leads/notifications /analytics /profile /webhooks".split(" "),
    ..."/account /account/preferences /account/connections /account/sessions /account/two-step".split(" "),
    ..."/account/security-log /account/api-keys /account/export".split(" "),
    `/cards/edit/${card}`,
    `/analytics?card=${card}`,
    "/cards/edit",
    ...ofCard,
    ...ofShare.map((page) => `/share/card/${card}${page}`),
    lead,
    `${lead}/edit`,
    `${lead}/reply`,
  ];
});

test.for<[string, BrowserContextOptions]>([
  ["a phone", phone],
  ["a desktop", desktop],
])(
  "the title of each page of the app is at the same position on %s, and so are the tabs of a card",
  async ([, device]) => {
    const { page } = await site.open({ ...device, storageState: owner.state });
    const positions = new Map<string, string[]>();
    const tabPositions: Record<string, number> = {};
    for (const path of paths) {
      await openPage(page, path);
      const { x, y } = await boxOf(page.getByRole("main").getByRole("heading", { level: 1 }));
      const position = `${Math.round(x)}, ${Math.round(y)}`;
      positions.set(position, [...(positions.get(position) ?? []), path]);
      const tabs = page.getByRole("navigation", { name: "Card", exact: true });
      if (await tabs.isVisible()) tabPositions[path] = Math.round((await boxOf(tabs)).y);
    }
    expect(Object.fromEntries(positions)).toEqual({ [[...positions.keys()][0] ?? ""]: paths });
    expect(new Set(Object.values(tabPositions)).size, JSON.stringify(tabPositions)).toBe(1);
  },
);
