import { describe, expect, test } from "vitest";

import { cardFields as fields, makeCard } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const ownColor = { accent: "own", accent_color: "#3A5F8C" };

describe("the design of a card", () => {
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
    for (const accent of [{ accent: "violet" }, ownColor]) {
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
    const id = await makeCard(ada, { accent: "violet" });
    await services.db.deleteFrom("subscription").execute();
    const save = (more: Record<string, string>) => ada.post(`/cards/edit/${id}`, { ...fields, ...more });
    expect((await save({ accent: "violet", version: "1" })).status).toBe(302);
    expect((await save({ accent: "rose", version: "2" })).status).toBe(422);
  });
});
