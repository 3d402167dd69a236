import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import {
  countCards,
  createCard,
  deleteCard,
  findOwnCard,
  findPublicCard,
  listCards,
  saveCard,
  saveCardFields,
} from "./data.server.ts";
import type { CardInput } from "./schema.ts";
import { defaultDesign } from "./card-design.ts";
import { emptyOptionalFields } from "./card-fields.ts";
import type { OptionalFields } from "./card-fields.ts";

const change: CardInput = {
  cardName: "My Business Card",
  profession: "Mathematician",
  company: "Analytical Engines",
  position: "",
  email: "ada@example.com",
  phone: "",
  yearsExperience: 12,
  links: [{ id: "site", name: "Site", url: "https://ada.example" }],
  isPublic: true,
  design: defaultDesign,
  ...emptyOptionalFields(),
};

describeOnEachDatabase("cards", (makeDb) => {
  describe("creating a card", () => {
    test("stores the owner's input", async () => {
      const { db, create } = await withOwner(makeDb);
      const id = await create();
      const times = { listPosition: 1_000, createdAt: 1_000, updatedAt: 1_000 };
      const code = expect.stringMatching(/^[2-9b-z]{7}$/);
      const stored = { ...change, ...times, id, code, ownerId: "ada", logoKey: null, isPaused: false, version: 1 };
      expect(await findOwnCard(db, { ownerId: "ada", id })).toEqual(stored);
    });

    test.each([
      { forms: "20 forms", more: {}, others: "limit" },
      { forms: "one form, without reporting the limit", more: { id: crypto.randomUUID() }, others: "exists" },
    ])("creates one card on Free from 20 concurrent requests of $forms", async ({ more, others }) => {
      const { db, add } = await withOwner(makeDb);
      const results = await Promise.all(Array.from({ length: 20 }, () => add({ plan: plans.free, ...more })));
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(["created", ...Array<string>(19).fill(others)]);
      expect(await countCards(db, "ada")).toBe(1);
    });
  });

  describe("saving a card", () => {
    test("changes the card, and reports a conflict to the later of two tabs, which overwrites nothing", async () => {
      const { db, save, create } = await withOwner(makeDb);
      const id = await create();
      expect(await save(id, { company: "First tab", yearsExperience: null })).toEqual({ kind: "saved" });
      const current = { company: "First tab", yearsExperience: null, version: 2, updatedAt: 2_000 };
      expect(await save(id, { company: "Second tab" })).toMatchObject({ kind: "conflict", current });
      expect(await findOwnCard(db, { ownerId: "ada", id })).toMatchObject(current);
    });

    test("saves one of 20 concurrent tabs", async () => {
      const { db, save, create } = await withOwner(makeDb);
      const id = await create();
      const results = await Promise.all(Array.from({ length: 20 }, (_, tab) => save(id, { company: `Tab ${tab}` })));
      expect(results.filter(({ kind }) => kind === "saved")).toHaveLength(1);
      const saved = results.findIndex(({ kind }) => kind === "saved");
      expect(await findOwnCard(db, { ownerId: "ada", id })).toMatchObject({ company: `Tab ${saved}`, version: 2 });
    });

    test("changes only the named fields in the card dialog and causes a conflict in an open editor", async () => {
      const { db, services, save, create } = await withOwner(makeDb);
      const id = await create();
      const phone = "+1 555 0100";
      expect(await saveFields(services, { ownerId: "ada", id, fields: { phone }, now: 2_000 })).toBe(true);
      expect(await findOwnCard(db, { ownerId: "ada", id })).toMatchObject({ ...change, phone, version: 2 });
      expect(await save(id, {})).toMatchObject({ kind: "conflict" });
    });
  });

  test("treats another owner's card like an unknown one in every read and write, and doesn't change it", async () => {
    const { db, services, create } = await withOwner(makeDb);
    const id = await create();
    const foreign = { ownerId: "eve", id };
    for (const card of [foreign, { ownerId: "ada", id: "unknown" }]) {
      expect(await findOwnCard(db, card)).toBeUndefined();
      expect(await saveCard(services, { ...card, version: 1, change, now: 2_000 })).toEqual({ kind: "missing" });
      expect(await saveFields(services, { ...card, fields: { phone: "1" }, now: 2_000 })).toBe(false);
      expect(await deleteCard(services, card)).toBe(false);
    }
    expect(await findOwnCard(db, { ownerId: "ada", id })).toMatchObject({ ...change, version: 1 });
  });

  describe("deleting a card", () => {
    test("allows another card on Free", async () => {
      const { db, services, create } = await withOwner(makeDb);
      const id = await create({ plan: plans.free });
      expect(await deleteCard(services, { ownerId: "ada", id })).toBe(true);
      expect(await listCards(db, "ada")).toEqual([]);
      await create({ plan: plans.free });
      expect(await countCards(db, "ada")).toBe(1);
    });

    test("keeps its counts in the owner's totals", async () => {
      const { db, services, create } = await withOwner(makeDb);
      const id = await create();
      const counted = { owner_id: "ada", dimension: "page", day: 20_000, value: `card:${id}`, visits: 3 };
      await insertRows({ db }, { daily_count: counted });
      await deleteCard(services, { ownerId: "ada", id });
      expect(await db.selectFrom("daily_count").select(["value", "visits"]).execute()).toEqual([
        { value: `card:${id}`, visits: 3 },
      ]);
    });

    test("counts once when sent twice at once", async () => {
      const { services, add, create } = await withOwner(makeDb);
      const id = await create();
      await create();
      const deleted = await Promise.all(Array.from({ length: 5 }, () => deleteCard(services, { ownerId: "ada", id })));
      expect(deleted.filter(Boolean)).toHaveLength(1);
      expect((await add({ plan: plans.free })).kind).toBe("limit");
    });

    test("leaves at most one card on Free, in any order of deletes and new cards", async () => {
      const { db, services, add } = await withOwner(makeDb);
      for (let round = 0; round < 3; round++) {
        const [card] = await listCards(db, "ada");
        const remove = async () => card && deleteCard(services, { ownerId: "ada", id: card.id });
        await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? remove() : add({ plan: plans.free }))));
        const left = await listCards(db, "ada");
        expect([left.length <= 1, await countCards(db, "ada")]).toEqual([true, left.length]);
      }
    });
  });

  describe("what visitors find", () => {
    test("includes the owner's name and bio of a public card, and nothing of a private or unknown one", async () => {
      const { db, create } = await withOwner(makeDb);
      const id = await create();
      const owner = { displayName: "ada", bio: "", handle: "", olderCards: 0 };
      expect(await findPublicCard(db, { id })).toMatchObject({ card: { id }, ...owner });
      const hidden = await create({ change: { ...change, isPublic: false } });
      for (const other of [hidden, "unknown"]) expect(await findPublicCard(db, { id: other })).toBeUndefined();
    });

    test("counts older cards, even of two created in the same millisecond", async () => {
      const { db, create } = await withOwner(makeDb);
      const ids = [await create({ now: 1_000 }), await create({ now: 1_000 })].toSorted();
      const older = await Promise.all(ids.map(async (id) => (await findPublicCard(db, { id }))?.olderCards));
      expect(older).toEqual([0, 1]);
      expect((await listCards(db, "ada")).at(-1)?.id).toBe(ids[0]);
    });
  });

  describe("a row", () => {
    const optional: OptionalFields = {
      ...emptyOptionalFields(),
      prefix: "Dr.",
      website: "https://engines.example/",
      phones: [{ kind: "mobile", value: "+44 7700 900123", visibility: "file" }],
      emails: [{ kind: "home", value: "ada@home.example" }],
      address: { street: "12 St James's Sq", city: "London", region: "", postcode: "SW1Y 4JH", country: "UK" },
      visibility: { email: "file", website: "page" },
    };

    test("stores optional fields, replaces them with each save, and reads those of other releases", async () => {
      const { db, save, create } = await withOwner(makeDb);
      const id = await create({ change: { ...change, ...optional } });
      const find = () => findOwnCard(db, { ownerId: "ada", id });
      expect(await find()).toMatchObject(optional);
      await save(id, emptyOptionalFields());
      expect(await find()).toMatchObject(emptyOptionalFields());
      const stored = { prefix: "Dr.", fax: "1", visibility: { email: "wall", fax: "page" } };
      await db
        .updateTable("card")
        .set({ optional_fields: JSON.stringify(stored) })
        .execute();
      // What isn't known stays off the page.
      expect(await find()).toMatchObject({ ...emptyOptionalFields(), prefix: "Dr.", visibility: { email: "file" } });
    });

    test("reports the last change of the card or of its owner's profile, whatever its position", async () => {
      const { db, create } = await withOwner(makeDb);
      const [id] = [await create({ now: 1_000 }), await create({ now: 2_000 })];
      await db.updateTable("card").set({ list_position: 3_000 }).where("id", "=", id).execute();
      expect(await findPublicCard(db, { id })).toMatchObject({ olderCards: 0, changedAt: 1_000 });
      const changed = { updated_at: 5_000, avatar_key_prefix: "avatars/ada/avatar_5000" };
      await db.updateTable("profile").set(changed).execute();
      expect(await findPublicCard(db, { id })).toMatchObject({
        changedAt: 5_000,
        avatarKey: changed.avatar_key_prefix,
      });
    });
  });
});

/** A database with the profile of "ada". `create` creates a card of hers and returns its id, `add` returns the result. */
async function withOwner(makeDb: () => Promise<Db>) {
  const db = await makeDb();
  const services = await makeWriteServices(db);
  await insertProfile(db, "ada");
  const defaults = { ownerId: "ada", plan: plans.premium, change, now: 1_000 };
  const add = (more: Partial<Parameters<typeof createCard>[1]>) =>
    createCard(services, { ...defaults, id: crypto.randomUUID(), ...more });
  async function create(more: Parameters<typeof add>[0] = {}) {
    const made = await add(more);
    if (made.kind !== "created") throw new Error(`The card was not made: ${made.kind}`);
    return made.id;
  }
  /** From a tab that was opened at version 1. */
  const save = (id: string, changed: Partial<CardInput>) =>
    saveCard(services, { ownerId: "ada", id, version: 1, change: { ...change, ...changed }, now: 2_000 });
  return { db, services, add, create, save };
}

function saveFields(
  { db, events }: Pick<Services, "db" | "events">,
  save: Parameters<typeof saveCardFields>[2],
): Promise<boolean> {
  return transact(db, (trx) => saveCardFields(trx, events, save));
}
