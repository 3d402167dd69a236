import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { createCard, findOwnCard, findPublicCard, listCards, saveCard } from "./data.server.ts";
import { newCard } from "./rules.ts";
import type { Card } from "./schema.ts";
import { emptyOptionalFields } from "./card-fields.ts";
import type { OptionalFields } from "./card-fields.ts";

const optional: OptionalFields = {
  ...emptyOptionalFields(),
  prefix: "Dr.",
  suffix: "PhD",
  pronouns: "she/her",
  department: "Mathematics",
  website: "https://engines.example/",
  phones: [{ kind: "mobile", value: "+44 7700 900123", visibility: "file" }],
  emails: [{ kind: "home", value: "ada@home.example" }],
  address: { street: "12 St James's Sq", city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" },
  visibility: { email: "file", website: "page" },
};
const change = { ...newCard({ displayName: "Ada", links: [] }), ...optional };

describeOnEachDatabase("the optional fields of a card", (makeDb) => {
  test("are stored as JSON that earlier releases can read, and replaced with each save", async () => {
    const { db, services, id } = await withCard(makeDb);
    const card = { ownerId: "ada", id };
    expect(optionalFields(await findOwnCard(db, card))).toEqual(optional);
    const row = await db.selectFrom("card").select("more").executeTakeFirstOrThrow();
    const { visibility, phones, emails, ...texts } = optional;
    expect(JSON.parse(row.more)).toEqual({
      ...texts,
      phones: [{ kind: "mobile", value: phones[0]?.value, shown: "file" }],
      emails,
      shown: visibility,
    });
    const empty = emptyOptionalFields();
    await saveCard(services, { ...card, version: 1, change: { ...change, ...empty }, now: 2 });
    expect(optionalFields(await findOwnCard(db, card))).toEqual(empty);
  });
});

describe("the stored optional fields stay readable", () => {
  test.each([
    ["none, as before they existed", "{}", {}],
    ["no JSON", "{", {}],
    ["no object", "[1]", {}],
    ["a newer program's field", '{"prefix":"Dr.","fax":"1"}', { prefix: "Dr." }],
    ["other kinds of values", '{"prefix":7,"phones":{},"address":"London","shown":[]}', {}],
    [
      "an unknown kind and visibility, which keeps it from the page",
      '{"phones":[{"kind":"fax","value":"1","shown":"wall"},{"kind":"home"}]}',
      { phones: [{ kind: "work", value: "1", visibility: "file" }] },
    ],
    [
      "the visibility of an unknown field",
      '{"shown":{"email":"file","fax":"page","phone":"wall"}}',
      { visibility: { email: "file", phone: "file" } },
    ],
  ])("%s", async (_, json, read) => {
    const { db, id } = await withCard(async () => (await makeDatabase("sqlite")).db);
    await db.updateTable("card").set({ more: json }).execute();
    const found = await findOwnCard(db, { ownerId: "ada", id });
    // JSON leaves out undefined values.
    expect(JSON.parse(JSON.stringify(optionalFields(found)))).toEqual({ ...emptyOptionalFields(), ...read });
  });
});

describeOnEachDatabase("the position and pausing of a card", (makeDb) => {
  test("lists cards by position, not by creation time", async () => {
    const { db, services, id } = await withCard(makeDb);
    const later = await addCard(services, 2_000);
    expect((await listCards(db, "ada")).map((card) => card.id)).toEqual([later, id]);
    await db.updateTable("card").set({ place: 3_000 }).where("id", "=", id).execute();
    expect((await listCards(db, "ada")).map((card) => card.id)).toEqual([id, later]);
    expect((await findPublicCard(db, id))?.isOldest).toBe(true);
  });

  test("reports the last change of the card or of its owner's profile", async () => {
    const { db, id } = await withCard(makeDb);
    expect((await findPublicCard(db, id))?.changedAt).toBe(1_000);
    await db.updateTable("profile").set({ updated_at: 5_000, avatar_stem: "avatars/ada/avatar_5000" }).execute();
    expect(await findPublicCard(db, id)).toMatchObject({ changedAt: 5_000, avatarKey: "avatars/ada/avatar_5000" });
  });
});

async function withCard(makeDb: () => Promise<Db>) {
  const db = await makeDb();
  await insertProfile(db, "ada");
  const services = await makeWriteServices(db);
  return { db, services, id: await addCard(services, 1_000) };
}

async function addCard(services: Pick<Services, "db" | "events" | "rateLimits">, now: number): Promise<string> {
  const card = { ownerId: "ada", plan: plans.premium, id: crypto.randomUUID(), change, now };
  const made = await createCard(services, card);
  if (made.kind !== "created") throw new Error(`The card was not made: ${made.kind}`);
  return made.id;
}

function optionalFields(card: Card | undefined) {
  const names = Object.keys(emptyOptionalFields());
  return Object.fromEntries(Object.entries(card ?? {}).filter(([name]) => names.includes(name)));
}
