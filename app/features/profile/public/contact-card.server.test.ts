import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { findPublicProfile } from "#app/features/profile/data.server.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

import { findContactCard } from "./contact-card.server.ts";

/** A card of Ada's. */
type CardRow = { id: string; list_position: number; created_at: number; is_public?: 0 | 1; is_paused?: 0 | 1 };

describeOnEachDatabase("the card that Save Contact opens", (makeDb) => {
  async function openDb() {
    const db = await makeDb();
    await insertProfile(db);
    await insertProfile(db, "eve");
    return async (cards: CardRow[], chosenId = "") => {
      const foreign = { id: "eves", owner_id: "eve", list_position: 99, created_at: 0 };
      const defaults = { owner_id: "ada", is_public: 1, is_paused: 0, card_name: "Card", updated_at: 1 } as const;
      const rows = [...cards, foreign].map((row) => ({ ...defaults, code: row.id, ...row }));
      await db.deleteFrom("card").execute();
      await db.insertInto("card").values(rows).execute();
      await db.updateTable("profile").set({ contact_card_id: chosenId }).where("owner_id", "=", "ada").execute();
      const found = await findPublicProfile(db, "ada");
      if (found?.kind !== "found") throw new Error("The profile wasn't found.");
      return [plans.premium, plans.free].map((plan) => findContactCard(plan, found.contactCards)?.id);
    };
  }
  const old = { id: "old", list_position: 1, created_at: 1 };
  const middle = { id: "middle", list_position: 3, created_at: 2 };
  const young = { id: "young", list_position: 2, created_at: 3 };

  test("is the oldest, whatever the owner's order, and never a private or paused one", async () => {
    const find = await openDb();
    expect(await find([])).toEqual([undefined, undefined]);
    expect(await find([old, middle, young])).toEqual(["old", "old"]);
    expect(await find([{ ...old, is_paused: 1 }, { ...middle, is_public: 0 }, young])).toEqual(["young", undefined]);
    expect(await find([{ ...old, is_public: 0 }])).toEqual([undefined, undefined]);
  });

  test("is the chosen one on Premium, or none, unless it isn't public or belongs to another owner", async () => {
    const find = await openDb();
    expect(await find([old, middle, young], "young")).toEqual(["young", "old"]);
    expect(await find([old, middle, { ...young, is_public: 0 }], "young")).toEqual(["old", "old"]);
    expect(await find([old, middle], "eves")).toEqual(["old", "old"]);
    expect(await find([old, middle, young], noContactCard)).toEqual([undefined, undefined]);
  });
});
