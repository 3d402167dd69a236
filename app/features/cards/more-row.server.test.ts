import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";
import { makeOwner } from "#tests/support/owners.ts";

import { createCard, findOwnCard, findPublicCard, listCards, saveCard } from "./data.server.ts";
import type { CardChange } from "./data.server.ts";
import { noMore } from "./more-fields.ts";
import type { CardMore } from "./more-fields.ts";

const more: CardMore = {
  prefix: "Dr.",
  suffix: "PhD",
  pronouns: "she/her",
  department: "Mathematics",
  website: "https://engines.example/",
  phones: [{ kind: "mobile", value: "+44 7700 900123", shown: "file" }],
  emails: [{ kind: "home", value: "ada@home.example" }],
  address: { street: "12 St James's Sq", city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" },
  shown: { email: "file", website: "page" },
};
const change: CardChange = {
  cardName: "Card",
  profession: "",
  company: "",
  position: "",
  email: "ada@example.com",
  phone: "",
  yearsExperience: null,
  links: [],
  isPublic: true,
  more,
};

describeOnEachDatabase("the further fields of a card", (makeDb) => {
  test("are what was saved, and are saved anew with each save", async () => {
    const { db, id } = await withCard(makeDb);
    expect((await findOwnCard(db, { ownerId: "ada", id }))?.more).toEqual(more);
    await saveCard(db, { ownerId: "ada", id, version: 1, change: { ...change, more: noMore() }, now: 2 });
    expect((await findOwnCard(db, { ownerId: "ada", id }))?.more).toEqual(noMore());
  });

  test("are empty on a card from before they were there", async () => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ more: "{}" }).where("id", "=", id).execute();
    expect((await findOwnCard(db, { ownerId: "ada", id }))?.more).toEqual(noMore());
  });

  test.each([
    ["no JSON", "{", {}],
    ["no object", "[1]", {}],
    ["a newer program's field", '{"prefix":"Dr.","fax":"1"}', { prefix: "Dr." }],
    ["other kinds of values", '{"prefix":7,"phones":{},"address":"London","shown":[]}', {}],
    [
      "an unknown kind, and a place that keeps it from the page",
      '{"phones":[{"kind":"fax","value":"1","shown":"wall"},{"kind":"home"}]}',
      {
        phones: [{ kind: "work", value: "1", shown: "file" }],
      },
    ],
    [
      "a field that can't be placed",
      '{"shown":{"email":"file","fax":"page","phone":"wall"}}',
      { shown: { email: "file", phone: "file" } },
    ],
  ])("never take the card with them: %s", async (_, json, read) => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ more: json }).where("id", "=", id).execute();
    const found = await findOwnCard(db, { ownerId: "ada", id });
    // Without what is undefined.
    expect(JSON.parse(JSON.stringify(found?.more))).toEqual({ ...noMore(), ...read });
  });
});

describeOnEachDatabase("a card's place and pause", (makeDb) => {
  test("the list goes by place, whatever was made when", async () => {
    const { db, id } = await withCard(makeDb);
    const later = await addCard(db, 2_000);
    expect((await listCards(db, "ada")).map((card) => card.id)).toEqual([later, id]);
    await db.updateTable("card").set({ place: 3_000 }).where("id", "=", id).execute();
    expect((await listCards(db, "ada")).map((card) => card.id)).toEqual([id, later]);
    expect((await findPublicCard(db, id))?.isOldest).toBe(true);
  });

  test("a card that its owner paused is found by nobody else, like one that never was", async () => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ is_paused: 1 }).where("id", "=", id).execute();
    expect(await findPublicCard(db, id)).toBeUndefined();
    expect((await findOwnCard(db, { ownerId: "ada", id }))?.isPaused).toBe(true);
  });

  test("a card was last changed when it was, or its owner's name, bio or picture", async () => {
    const { db, id } = await withCard(makeDb);
    expect((await findPublicCard(db, id))?.changedAt).toBe(1_000);
    await db.updateTable("profile").set({ updated_at: 5_000, avatar_stem: "avatars/ada/avatar_5000" }).execute();
    expect(await findPublicCard(db, id)).toMatchObject({ changedAt: 5_000, avatarStem: "avatars/ada/avatar_5000" });
  });
});

async function withCard(makeDb: () => Promise<Db>) {
  const db = await makeDb();
  await makeOwner(db, "ada");
  return { db, id: await addCard(db, 1_000) };
}

async function addCard(db: Db, now: number): Promise<string> {
  const made = await createCard(db, { ownerId: "ada", plan: plans.premium, id: crypto.randomUUID(), change, now });
  if (made.kind !== "created") throw new Error(`The card was not made: ${made.kind}`);
  return made.id;
}
