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
    test("hides a paused card from visitors until it is unpaused", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const id = cards.one ?? "";
      expect((await pauseCard(services, { ownerId, id, isPaused: true }))?.isPaused).toBe(true);
      expect(await findPublicCard(db, id)).toBeUndefined();
      expect((await findOwnCard(db, { ownerId, id }))?.isPaused).toBe(true);
      expect((await pauseCard(services, { ownerId, id, isPaused: false }))?.isPaused).toBe(false);
      expect((await findPublicCard(db, id))?.card.id).toBe(id);
    });

    test("keeps the version, so that an open form can still be saved", async () => {
      const { services, cards } = await withCards(makeDb, ["one"]);
      expect((await pauseCard(services, { ownerId, id: cards.one ?? "", isPaused: true }))?.version).toBe(1);
    });

    test("doesn't pause another owner's card", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      expect(await pauseCard(services, { ownerId: "eve", id: cards.one ?? "", isPaused: true })).toBeUndefined();
      expect((await findPublicCard(db, cards.one ?? ""))?.card.isPaused).toBe(false);
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

    test("keeps all cards and distinct positions during 20 concurrent moves", async () => {
      const { db, services, cards } = await withCards(makeDb, ["a", "b", "c", "d", "e"]);
      const ids = Object.values(cards);
      const moves = Array.from({ length: 20 }, (_, n) => ({ id: ids[n % 5] ?? "", to: (n * 3) % 5 }));
      expect(await Promise.all(moves.map((move) => moveCard(services, { ownerId, ...move })))).not.toContain(false);
      const after = await listCards(db, ownerId);
      expect(after.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(new Set(after.map(({ place }) => place)).size).toBe(5);
    });

    test("works while the same cards are saved, paused and moved", async () => {
      const { db, services, cards } = await withCards(makeDb, ["a", "b", "c"]);
      const ids = Object.values(cards);
      const writes = ids.flatMap((id, index) => [
        moveCard(services, { ownerId, id, to: index }),
        pauseCard(services, { ownerId, id, isPaused: true }),
        saveCard(services, { ownerId, id, version: 1, change, now: 99 }),
        moveCard(services, { ownerId, id, to: "down" }),
      ]);
      expect(await Promise.all(writes)).not.toContain(false);
      const after = await listCards(db, ownerId);
      expect(after.map(({ version, isPaused }) => [version, isPaused])).toEqual(ids.map(() => [2, true]));
    });

    test("doesn't move another owner's card", async () => {
      const { services, cards, names } = await withCards(makeDb, ["one", "two"]);
      expect(await moveCard(services, { ownerId: "eve", id: cards.one ?? "", to: 0 })).toBe(false);
      expect(await names()).toEqual(["two", "one"]);
    });
  });

  describe("copying", () => {
    const plan = plans.premium;

    test("creates a private copy without the logo, first in the list", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const id = cards.one ?? "";
      await db.updateTable("card").set({ logo_stem: "pass-assets/ada/logos/logo_1", is_paused: 1 }).execute();
      const made = await duplicateCard(services, { ownerId, plan, id, formId: "f", now: 99 });
      expect(made).toMatchObject({ kind: "created", hadLogo: true });
      const [copy, original] = await listCards(db, ownerId);
      expect(copy).toMatchObject({
        cardName: "Copy of one",
        company: "Engines",
        isPublic: false,
        isPaused: false,
        logoKey: null,
      });
      expect(copy?.links.map(({ url }) => url)).toEqual(["https://ada.example"]);
      expect(copy?.links[0]?.id).not.toBe(original?.links[0]?.id);
      expect(original).toMatchObject({ id, cardName: "one", logoKey: "pass-assets/ada/logos/logo_1" });
    });

    test("creates no copy on Free, even with 20 concurrent requests", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const duplicate = (formId: string) =>
        duplicateCard(services, { ownerId, plan: plans.free, id: cards.one ?? "", formId, now: 99 });
      const results = await Promise.all(Array.from({ length: 20 }, (_, n) => duplicate(`form-${n}`)));
      expect(results.map((result) => result?.kind)).toEqual(Array.from({ length: 20 }, () => "limit"));
      expect(await countCards(db, ownerId)).toBe(1);
    });

    test("creates one copy per form, however often it is sent", async () => {
      const { db, services, cards } = await withCards(makeDb, ["one"]);
      const duplicate = () => duplicateCard(services, { ownerId, plan, id: cards.one ?? "", formId: "f", now: 99 });
      const kinds = (await Promise.all(Array.from({ length: 20 }, duplicate))).map((result) => result?.kind).toSorted();
      expect(kinds).toEqual(["created", ...Array.from({ length: 19 }, () => "exists")]);
      expect(await countCards(db, ownerId)).toBe(2);
    });

    test("doesn't copy another owner's card", async () => {
      const { services, cards } = await withCards(makeDb, ["one"]);
      expect(
        await duplicateCard(services, { ownerId: "eve", plan, id: cards.one ?? "", formId: "f", now: 9 }),
      ).toBeUndefined();
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
