import { createHash } from "node:crypto";

import { describe, expect, test } from "vitest";

import { cardFields as fields, makeCard } from "#tests/support/app/cards.ts";
import { makeFree, makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const ownColor = { accent: "own", accent_color: "#3A5F8C" };

describe("the design of a card", () => {
  test("is what visitors see, by a style that the page's policy allows by its hash", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { accent: "emerald", layout: "cover", paper: "dark" });
    const response = await visitor().get(`/card/${id}`);
    const page = await response.text();
    expect(page).toContain('<section class="card cover" data-theme="ink"');
    const styles = [...page.matchAll(/<style>([^]*?)<\/style>/g)].map(([, css = ""]) => css);
    expect(styles.at(-1)).toContain("--brand:#6ee7b7");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const css of styles) expect(policy).toContain(`'sha256-${createHash("sha256").update(css).digest("base64")}'`);
    const again = await visitor().get(`/card/${id}`);
    expect(again.headers.get("content-security-policy")).toBe(policy);
  });

  test("follows the theme of the profile when that changes", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const page = async () => (await visitor().get(`/card/${id}`)).text();
    expect(await page()).toMatch(/<main class="page" data-theme="ink"[^]*<section class="card" data-theme="default"/);
    await ada.get("/profile");
    expect((await ada.post("/profile", profileForm({ theme: "ocean" }))).status).toBe(302);
    const ocean = await page();
    expect(ocean).toMatch(/<main class="page" data-theme="ocean"[^]*<section class="card" aria-label/);
    expect(ocean).toContain('<meta name="theme-color" content="#0d3b52"/>');
  });

  test("falls back to the theme's color after a downgrade, and comes back with Premium", async () => {
    const { signedIn, visitor, services } = await createTestApp();
    const ada = await signedIn();
    const ownerId = await userIdOf(ada);
    await makePremium(services, ownerId);
    const id = await makeCard(ada, { ...ownColor, layout: "centered" });
    const page = async () => (await visitor().get(`/card/${id}`)).text();
    expect(await page()).toContain("--brand:#3a5f8c");
    await makeFree(services, ownerId);
    const free = await page();
    expect([free.includes("--brand:"), free.includes("card centered")]).toEqual([false, true]);
    await makePremium(services, ownerId);
    expect(await page()).toContain("--brand:#3a5f8c");
  });

  test("is saved with the card: accent, layout and paper", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { accent: "emerald", layout: "centered", paper: "dark" });
    const stored = () =>
      services.db.selectFrom("card").select(["accent", "layout", "paper"]).where("id", "=", id).executeTakeFirst();
    expect(await stored()).toEqual({ accent: "emerald", layout: "centered", paper: "dark" });
  });

  test("takes an accent of Premium from Premium alone, and keeps what was typed", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    for (const accent of [{ accent: "rose" }, ownColor]) {
      const refused = await ada.post(`/cards/edit/${id}`, { ...fields, ...accent, company: "Typed", version: "1" });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('value="Typed"');
    }
    await makePremium(services, await userIdOf(ada));
    const saved = await ada.post(`/cards/edit/${id}`, { ...fields, ...ownColor, version: "1" });
    expect(saved.status).toBe(302);
  });

  test("can be saved again after a downgrade, with the accent it had", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await makePremium(services, await userIdOf(ada));
    const id = await makeCard(ada, { accent: "copper" });
    await services.db.deleteFrom("subscription").execute();
    const save = (more: Record<string, string>) => ada.post(`/cards/edit/${id}`, { ...fields, ...more });
    expect((await save({ accent: "copper", version: "1" })).status).toBe(302);
    expect((await save({ accent: "rose", version: "2" })).status).toBe(422);
  });
});
