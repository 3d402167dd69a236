import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const openTeam = (more: { clock?: () => number } = {}) =>
  createTestApp({ env: { PLAN_FOR_EVERYONE: "premium", DEMO: "on", ADMIN_EMAILS: "" }, ...more });

const textOf = async (client: Pick<ReturnType<TestApp["visitor"]>, "get">, path: string) =>
  (await client.get(path)).text();

describe("where everyone has Premium", () => {
  test("an owner can do what Premium includes, and their pages have no branding, also when a grant ends", async () => {
    let now = Date.UTC(2026, 10, 21);
    const { signedIn, visitor, services } = await openTeam({ clock: () => now });
    const ada = await signedIn();
    const id = await userIdOf(ada);
    const cards = [await makeCard(ada), await makeCard(ada, { accent: "own", accent_color: "#3a5f8c" })];
    expect((await ada.post("/profile", profileForm({ theme: "royal" }))).status).toBe(302);
    expect(await textOf(visitor(), `/u/${id}`)).toContain('data-theme="royal"');
    for (const path of [`/u/${id}`, ...cards.map((card) => `/card/${card}`)]) {
      const response = await visitor().get(path);
      expect(response.status, path).toBe(200);
      expect(await response.text(), path).not.toContain("Made with Meishi");
    }
    await makePremium(services, id, now + 1_000);
    for (let round = 0; round < 2; round++, now += 2_000)
      expect(await textOf(visitor(), `/u/${id}`)).not.toContain("Made with Meishi");
  });

  test("no page for visitors mentions plans or prices, or links to them", async () => {
    const { visitor } = await openTeam();
    const paths = ["/", "/docs", "/terms", "/privacy", "/security-overview", "/contact", "/status", "/credits"];
    for (const path of [...paths, "/auth", "/auth?tab=signup&tier=premium", "/u/demo-user", "/card/demo-card"]) {
      const html = await textOf(visitor(), path);
      expect(html, path).not.toContain('href="/pricing"');
      expect(html, path).not.toMatch(/Premium|on Free\b|Upgrade|\$\d|first card is free|free account/);
    }
    expect(await textOf(visitor(), "/sitemap.xml")).not.toContain("/pricing");
    const signUp = (await visitor().get("/signup?tier=premium")).headers.get("location");
    expect(signUp).toBe("/auth?tab=signup");
  });

  test("no page of an owner mentions plans or prices, or links to them", async () => {
    const { signedIn } = await openTeam();
    const ada = await signedIn();
    const card = await makeCard(ada);
    const paths = ["/profile", "/account", "/account/delete", `/cards/edit/${card}`, `/share/card/${card}`];
    for (const path of [...paths, "/cards/edit"]) {
      const html = (await textOf(ada, path)).split("<script")[0] ?? "";
      expect(html, path).toContain("</main>");
      expect(html, path).not.toContain('href="/pricing"');
      expect(html, path).not.toMatch(/Premium|Subscription|Billing|Upgrade|\$\d/);
    }
    expect((await ada.get("/signup?tier=premium")).headers.get("location")).toBe("/profile");
  });

  test("the pages of a purchase don't exist", async () => {
    const { signedIn, visitor } = await openTeam();
    const ada = await signedIn();
    for (const client of [visitor(), ada]) {
      expect((await client.get("/pricing")).status).toBe(404);
      expect((await client.post("/pricing/checkout", { period: "monthly" })).status).toBe(404);
      expect((await client.get("/cancel")).status).toBe(404);
    }
    expect((await ada.get("/success")).status).toBe(404);
  });
});
