import { expect, test } from "vitest";
import { z } from "zod";

import { plans } from "#app/features/billing/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { codeAlphabet } from "./address-rules.ts";
import { deriveCardId, takeCode } from "./code-data.server.ts";
import { createCard, deleteCard, findPublicCard } from "./data.server.ts";
import { newCard } from "./rules.ts";

const change = newCard({ displayName: "Ada", links: [] });

describeOnEachDatabase("the codes of short addresses", (makeDb) => {
  test("have seven characters of an alphabet without lookalikes and vowels", async () => {
    const db = await makeDb();
    const codes = await transact(db, async (trx) => [await takeCode(trx), await takeCode(trx)]);
    for (const code of codes) expect(code).toMatch(new RegExp(`^[${codeAlphabet}]{7}$`));
    expect(codeAlphabet).not.toMatch(/[01aeiouly]|[A-Z]/);
    expect(new Set(codes).size).toBe(2);
  });

  test("stay taken when their card is deleted, even with its account", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await insertProfile(db);
    await createCard(services, { ownerId: "ada", plan: plans.premium, id: "c1", change, now: 1 });
    const codes = await listCodes(db);
    await deleteCard(services, { ownerId: "ada", id: "c1" });
    expect(await db.selectFrom("card_code").selectAll().execute()).toEqual(codes);
    const again = db.insertInto("card_code").values({ code: codes[0]?.code ?? "" });
    await expect(again.execute()).rejects.toThrow(/unique/i);
  });

  test("are limited per account and hour, even when the cards are deleted again", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db, () => 1_000);
    await insertProfile(db);
    await insertProfile(db, "bob");
    const create = (ownerId: string, id: string, store = services) =>
      createCard(store, { ownerId, plan: plans.free, id, change, now: 1 });
    for (let n = 0; n < 60; n++) {
      expect(await create("ada", `c${n}`)).toMatchObject({ kind: "created" });
      await deleteCard(services, { ownerId: "ada", id: `c${n}` });
    }
    const limited = { kind: "rate-limited", limit: "new card", until: 3_601_000 };
    for (const id of ["c60", "c61"]) expect(await create("ada", id)).toEqual(limited);
    expect(await listCodes(db)).toEqual([]);
    expect(await db.selectFrom("card_code").selectAll().execute()).toHaveLength(60);
    expect(await create("bob", "b1")).toMatchObject({ kind: "created" });
    const later = await makeWriteServices(db, () => 3_601_000);
    expect(await create("ada", "c62", later)).toMatchObject({ kind: "created" });
    // The same form again creates nothing, and isn't counted.
    expect(await create("ada", "c62", later)).toMatchObject({ kind: "exists" });
  });

  test("find a card that visitors may see", async () => {
    const db = await makeDb();
    const services = await makeWriteServices(db);
    await insertProfile(db);
    const card = { ownerId: "ada", plan: plans.premium };
    for (const [now, id] of ["old", "private", "new"].entries())
      await createCard(services, { ...card, id, change: { ...change, isPublic: id !== "private" }, now });
    for (const { id, code } of await db.selectFrom("card").select(["id", "code"]).execute()) {
      const found = await findPublicCard(db, { code });
      expect(found?.card.id).toBe(id === "private" ? undefined : id);
    }
    expect(await findPublicCard(db, { code: "" })).toBeUndefined();
  });
});

test("derives one valid UUID from an owner's form, and another for another owner, whatever form they send", () => {
  const form = "3f0e7b9a-0000-4000-8000-000000000000";
  const id = deriveCardId("ada", form);
  expect(deriveCardId("ada", form)).toBe(id);
  expect(z.uuid().safeParse(id).success).toBe(true);
  for (const other of [deriveCardId("eve", form), deriveCardId("eve", id), deriveCardId("ada", id)])
    expect(other).not.toBe(id);
});

async function listCodes(db: Db) {
  return db.selectFrom("card").select("code").orderBy("id").execute();
}
