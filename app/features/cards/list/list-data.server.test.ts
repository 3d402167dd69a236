import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import {
  countCards,
  createCard,
  findOwnCard,
  findPublicCard,
  listCards,
  saveCard,
} from "#app/features/cards/data.server.ts";
import { duplicateCard, moveCard, pauseCard } from "./list-data.server.ts";
import { newCard } from "#app/features/cards/rules.ts";

const ownerId = "ada";
const change = {
  ...newCard({ displayName: "Ada", links: [{ id: "l", label: "Site", url: "https://ada.example" }] }),
  company: "Engines",
};

describeOnEachDatabase("the list of cards", (makeDb) => {
  describe("pausing", () => {
    test("hides a card from visitors until it is unpaused, and keeps its version for an open form", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const id = cards.one ?? "";
      const paused = { isPaused: true, version: 1 };
      expect(await pauseCard(services, { ownerId, id, isPaused: true })).toMatchObject(paused);
      expect(await findPublicCard(db, { id })).toBeUndefined();
      expect(await findOwnCard(db, { ownerId, id })).toMatchObject(paused);
      expect((await pauseCard(services, { ownerId, id, isPaused: false }))?.isPaused).toBe(false);
      expect((await findPublicCard(db, { id }))?.card.id).toBe(id);
    });

    test("doesn't work on another owner's card, and neither do moving and copying", async () => {
      const { db, services, cards, names } = await withCards(makeDb, ["one", "two"]);
      const foreign = { ownerId: "eve", id: cards.one ?? "" };
      expect(await pauseCard(services, { ...foreign, isPaused: true })).toBeUndefined();
      expect((await findPublicCard(db, { id: foreign.id }))?.card.isPaused).toBe(false);
      expect(await moveCard(services, { ...foreign, to: 0 })).toBe(false);
      expect(await names()).toEqual(["two", "one"]);
      expect(await duplicateCard(services, { ...foreign, plan: plans.premium, formId: "f", now: 9 })).toBeUndefined();
    });
  });

  describe("moving", () => {
    test("puts new cards first, even after the owner moved cards", async () => {
      const { services, cards, names, make } = await withCards(makeDb, ["one", "two", "three"]);
      expect(await names()).toEqual(["three", "two", "one"]);
      expect(await moveCard(services, { ownerId, id: cards.one ?? "", to: 0 })).toBe(true);
      expect(await names()).toEqual(["one", "three", "two"]);
      await moveCard(services, { ownerId, id: cards.three ?? "", to: "down" });
      expect(await names()).toEqual(["one", "two", "three"]);
      await make("four");
      expect(await names()).toEqual(["four", "one", "two", "three"]);
    });

    test("orders cards created at the same time", async () => {
      const { db, services, names } = await withCards(makeDb, ["one", "two", "three"], () => 7);
      const before = await names();
      const last = (await listCards(db, ownerId)).at(-1);
      await moveCard(services, { ownerId, id: last?.id ?? "", to: 0 });
      expect(await names()).toEqual([before[2], before[0], before[1]]);
    });

    test("keeps all cards and distinct positions while the same cards are moved, saved and paused", async () => {
      const { db, services, cards } = await withCards(makeDb, ["a", "b", "c"]);
      const ids = Object.values(cards);
      const writes = ids.flatMap((id, index) => [
        moveCard(services, { ownerId, id, to: index }),
        pauseCard(services, { ownerId, id, isPaused: true }),
        saveCard(services, { ownerId, id, version: 1, change, now: 99 }),
        moveCard(services, { ownerId, id, to: "down" }),
        moveCard(services, { ownerId, id, to: 2 - index }),
      ]);
      expect(await Promise.all(writes)).not.toContain(false);
      const after = await listCards(db, ownerId);
      expect(after.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(new Set(after.map(({ listPosition }) => listPosition)).size).toBe(3);
      expect(after.map(({ version, isPaused }) => [version, isPaused])).toEqual(ids.map(() => [2, true]));
    });
  });

  describe("copying", () => {
    const plan = plans.premium;

    test("creates a private copy without the logo, first in the list", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const id = cards.one ?? "";
      await db.updateTable("card").set({ logo_key_prefix: "pass-assets/ada/logos/logo_1", is_paused: 1 }).execute();
      const made = await duplicateCard(services, { ownerId, plan, id, formId: "f", now: 99 });
      expect(made).toMatchObject({ kind: "created", hadLogo: true });
      const [copy, original] = await listCards(db, ownerId);
      expect(copy).toMatchObject({ cardName: "Copy of one", company: "Engines", isPublic: false });
      expect(copy).toMatchObject({ isPaused: false, logoKey: null, links: [{ url: "https://ada.example" }] });
      expect(copy?.links[0]?.id).not.toBe(original?.links[0]?.id);
      expect(original).toMatchObject({ id, cardName: "one", logoKey: "pass-assets/ada/logos/logo_1" });
    });

    test("creates none on Free and one per form on Premium, of 20 concurrent requests", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const card = { ownerId, id: cards.one ?? "", now: 99 };
      const kindsOf = async (copies: Pick<Parameters<typeof duplicateCard>[1], "plan" | "formId">[]) => {
        const results = await Promise.all(copies.map((copy) => duplicateCard(services, { ...card, ...copy })));
        return results.map((result) => result?.kind).toSorted();
      };
      const onFree = Array.from({ length: 20 }, (_, n) => ({ plan: plans.free, formId: `form-${n}` }));
      expect(await kindsOf(onFree)).toEqual(onFree.map(() => "limit"));
      expect(await countCards(db, ownerId)).toBe(1);
      const onPremium = onFree.map(() => ({ plan, formId: "f" }));
      expect(await kindsOf(onPremium)).toEqual(["created", ...onPremium.slice(1).map(() => "exists")]);
      expect(await countCards(db, ownerId)).toBe(2);
    });
  });
});

/** Ada with cards of these names, created one after the other. */
async function withCards(makeDb: () => Promise<Db>, made: string[], clock?: () => number) {
  const db = await makeDb();
  const services = await makeWriteServices(db);
  let now = 0;
  const tick = clock ?? (() => (now += 1));
  for (const id of [ownerId, "eve"]) await insertProfile(db, id);
  const cards: Record<string, string> = {};
  const make = async (cardName: string) => {
    const id = crypto.randomUUID();
    cards[cardName] = id;
    await createCard(services, { ownerId, plan: plans.premium, id, change: { ...change, cardName }, now: tick() });
  };
  for (const name of made) await make(name);
  return {
    db,
    services,
    cards,
    make,
    names: async () => (await listCards(db, ownerId)).map(({ cardName }) => cardName),
  };
}
