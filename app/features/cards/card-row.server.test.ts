import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { createCard, findOwnCard, findPublicCard, listCards, saveCard } from "./data.server.ts";
import type { Card, CardInput } from "./schema.ts";
import { defaultDesign } from "./card-design.ts";
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
const change: CardInput = {
  cardName: "Card",
  profession: "",
  company: "",
  position: "",
  email: "ada@example.com",
  phone: "",
  yearsExperience: null,
  links: [],
  isPublic: true,
  design: defaultDesign,
  ...optional,
};

describeOnEachDatabase("the optional fields of a card", (makeDb) => {
  test("are stored and replaced with each save", async () => {
    const { db, services, id } = await withCard(makeDb);
    expect(optionalFields(await findOwnCard(db, { ownerId: "ada", id }))).toEqual(optional);
    await saveCard(services, {
      ownerId: "ada",
      id,
      version: 1,
      change: { ...change, ...emptyOptionalFields() },
      now: 2,
    });
    expect(optionalFields(await findOwnCard(db, { ownerId: "ada", id }))).toEqual(emptyOptionalFields());
  });

  test("are stored as JSON that earlier releases can read", async () => {
    const { db, id } = await withCard(makeDb);
    const row = await db.selectFrom("card").select("more").where("id", "=", id).executeTakeFirstOrThrow();
    const { visibility, phones, emails, ...texts } = optional;
    expect(JSON.parse(row.more)).toEqual({
      ...texts,
      phones: [{ kind: "mobile", value: phones[0]?.value, shown: "file" }],
      emails,
      shown: visibility,
    });
  });

  test("are empty on a card stored before they existed", async () => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ more: "{}" }).where("id", "=", id).execute();
    expect(optionalFields(await findOwnCard(db, { ownerId: "ada", id }))).toEqual(emptyOptionalFields());
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
        phones: [{ kind: "work", value: "1", visibility: "file" }],
      },
    ],
    [
      "a field that can't be placed",
      '{"shown":{"email":"file","fax":"page","phone":"wall"}}',
      { visibility: { email: "file", phone: "file" } },
    ],
  ])("stay readable: %s", async (_, json, read) => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ more: json }).where("id", "=", id).execute();
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

  test("hides a paused card from everyone but its owner", async () => {
    const { db, id } = await withCard(makeDb);
    await db.updateTable("card").set({ is_paused: 1 }).where("id", "=", id).execute();
    expect(await findPublicCard(db, id)).toBeUndefined();
    expect((await findOwnCard(db, { ownerId: "ada", id }))?.isPaused).toBe(true);
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
  const made = await createCard(services, {
    ownerId: "ada",
    plan: plans.premium,
    id: crypto.randomUUID(),
    change,
    now,
  });
  if (made.kind !== "created") throw new Error(`The card was not made: ${made.kind}`);
  return made.id;
}

function optionalFields(card: Card | undefined) {
  const names = Object.keys(emptyOptionalFields());
  return Object.fromEntries(Object.entries(card ?? {}).filter(([name]) => names.includes(name)));
}
