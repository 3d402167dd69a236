import { describe, expect, test } from "vitest";

import { deleteSubscription } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import * as cards from "#app/features/cards/data.server.ts";
import { duplicateCard, moveCard, pauseCard } from "#app/features/cards/list/list-data.server.ts";
import { newCard } from "#app/features/cards/rules.ts";
import { chooseContactCard } from "#app/features/profile/card-data.server.ts";
import * as profiles from "#app/features/profile/data.server.ts";
import { sampleOwnerId } from "#app/features/profile/rules.ts";
import { removeAsset, storeAsset } from "#app/features/uploads/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { makeFree, makePremium } from "#tests/support/app/profiles.ts";
import { jpeg } from "#tests/support/app/uploads.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";
import type { AssetStore } from "#tests/support/storage/asset-store.ts";
import { readSource, sourceFiles } from "#tests/support/sources.ts";

type Write = (store: AssetStore) => Promise<unknown>;

const [ownerId, id, now] = ["ada", "card-of-ada", 2_000];
const own = { ownerId, id, now };
const card = newCard({ displayName: "Ada", links: [] });
const profile = {
  displayName: "A",
  bio: "",
  theme: "default",
  links: [],
  showBusinessCard: true,
  isListed: true,
};
const premium = { ownerId, plan: plans.premium, now };
const create =
  (formId: string): Write =>
  (store) =>
    cards.createCard(store, { ...premium, id: formId, change: card });
const pause =
  (isPaused: boolean): Write =>
  (store) =>
    pauseCard(store, { ownerId, id, isPaused });
const saveHandle =
  (handle: string): Write =>
  (store) =>
    profiles.saveProfile(store, { ownerId, version: 1, change: { ...profile, handle }, now });
const storeFile =
  (slot: "avatar" | "banner" | `logo:${string}`): Write =>
  async (store) =>
    storeAsset(store, { ownerId, slot, upload: await jpeg() });
const grant: Write = (store) => makePremium(store, ownerId);
const inTransaction = (
  { db, events }: AssetStore,
  work: (trx: Trx, events: AssetStore["events"]) => Promise<unknown>,
) => transact(db, (trx) => work(trx, events));
const saveFields =
  (change: typeof own): Write =>
  (store) =>
    inTransaction(store, (trx, events) => cards.saveCardFields(trx, events, { ...change, fields: { phone: "1" } }));

/** Each write to what a public page shows, the event that it records, and what comes before it. */
const writes: [name: string, event: string, write: Write, before?: Write][] = [
  ["a new card", "card.saved", create("new")],
  ["a saved card", "card.saved", (store) => cards.saveCard(store, { ...own, version: 1, change: card })],
  ["fields of a card", "card.saved", saveFields(own)],
  ["a deleted card", "card.deleted", (store) => cards.deleteCard(store, { ownerId, id })],
  ["a paused card", "card.saved", pause(true)],
  ["a card that is unpaused", "card.saved", pause(false), pause(true)],
  ["a moved card", "card.saved", (store) => moveCard(store, { ownerId, id, to: 0 }), create("b")],
  ["a copied card", "card.saved", (store) => duplicateCard(store, { ...premium, id, formId: "f" })],
  ["a saved profile", "profile.saved", saveHandle("")],
  [
    "a card chosen for the profile",
    "profile.saved",
    (store) => inTransaction(store, (trx, events) => chooseContactCard(trx, events, { ownerId, cardId: id })),
  ],
  ["a new handle", "profile.saved", saveHandle("ada-l")],
  [
    "a new name",
    "profile.saved",
    (store) =>
      inTransaction(store, (trx, events) =>
        profiles.saveProfileDetails(trx, events, { ownerId, displayName: "C", now }),
      ),
  ],
  ["a profile marked as a sample", "profile.saved", (store) => profiles.markAsSample(store, ownerId)],
  ["a new avatar", "file.saved", storeFile("avatar")],
  ["a new logo", "file.saved", storeFile(`logo:${id}`)],
  ["a removed banner", "file.removed", (store) => removeAsset(store, { ownerId, slot: "banner" }), storeFile("banner")],
  ["a granted plan", "plan.changed", grant],
  ["a plan that is revoked", "plan.changed", (store) => makeFree(store, ownerId), grant],
];

describeOnEachDatabase("a write to what public pages show", (makeDb) => {
  test.each(writes)("records its event: %s", async (...[, event, write, before]) => {
    const store = await openAssetStore(await makeDb());
    await before?.(store);
    const [old, count] = [await versionOf(store), store.recorded.length];
    await write(store);
    expect(store.recorded.slice(count)).toMatchObject([{ kind: event, ownerId }]);
    expect(await versionOf(store)).toBe(store.recorded.at(-1)?.id);
    expect(await versionOf(store)).not.toBe(old);
  });

  test("records the profile that the first visit creates, and the one that is deleted", async () => {
    const store = await openAssetStore(await makeDb());
    const visit = () => profiles.ensureProfile(store, { id: sampleOwnerId, email: "demo@example.com", now });
    await Promise.all([visit(), visit(), visit()]);
    await profiles.deleteProfile(store, sampleOwnerId);
    expect(store.recorded.map(({ kind }) => kind)).toEqual(["profile.saved", "account.deleted"]);
  });

  test("records nothing when it changes nothing", async () => {
    const store = await openAssetStore(await makeDb());
    const stranger = { ...own, ownerId: "eve" };
    await profiles.ensureProfile(store, { id: ownerId, email: "ada@example.com", now });
    await cards.saveCard(store, { ownerId, id, version: 7, change: card, now });
    await cards.saveCard(store, { ...stranger, version: 1, change: card });
    await saveFields(stranger)(store);
    await cards.deleteCard(store, stranger);
    await pauseCard(store, { ...stranger, isPaused: true });
    await pause(false)(store);
    await moveCard(store, { ...stranger, to: 0 });
    await moveCard(store, { ownerId, id, to: 0 });
    await duplicateCard(store, { ...stranger, plan: plans.premium, formId: "f" });
    await cards.createCard(store, { ownerId, plan: { ...plans.free, maxCards: 1 }, id: "second", change: card, now });
    await create(id)(store);
    await profiles.saveProfile(store, { ownerId, version: 7, change: { ...profile, handle: "" }, now });
    await removeAsset(store, { ownerId, slot: "logo:card-of-eda" });
    await storeAsset(store, { ownerId, slot: "avatar", upload: new Uint8Array(9) });
    expect(store.recorded).toEqual([]);
    expect(await versionOf(store)).toBe("");
    expect(await cards.listCards(store.db, ownerId)).toHaveLength(1);
  });
});

async function versionOf({ db }: AssetStore): Promise<string | undefined> {
  const query = db.selectFrom("profile").select("pages_version").where("owner_id", "=", ownerId);
  return (await query.executeTakeFirst())?.pages_version;
}

/** Functions that write to what public pages show without recording an event, and why. */
const exceptions: Record<string, string> = {
  lockOwner: "changes nothing",
  createEvents: "records the event of every other write",
  [deleteSubscription.name]: "part of deleting an account, which records account.deleted",
  lockSubscription: "changes nothing",
  [cards.deleteAllCards.name]: "part of deleting an account",
  deleteProfileOfAccount: "part of deleting an account",
  writeHandle: "part of saveInTransaction",
  insertAsset: "reserves an upload, which no page shows yet",
  deleteAsset: "part of commitInTransaction and deleteAssets",
  markReady: "part of commitInTransaction",
  updateAssetFiles: "what the process found out about a file; pages don't show it",
  display: "part of commitInTransaction and removeAsset",
  displayLogo: "part of commitInTransaction and removeAsset",
  countCard: "part of insertCard and deleteCard",
};

describe("in the source", () => {
  test("each function that writes to what public pages show records an event, or is an exception", () => {
    const writers = sourceFiles.flatMap(listFunctions).filter(({ text }) => pageWrite.test(text));
    const silent = writers.filter(({ text }) => !text.includes("events.record(trx, {")).map(({ name }) => name);
    expect(silent.toSorted()).toEqual(Object.keys(exceptions).toSorted());
    expect(writers.length - silent.length).toBeGreaterThan(10);
  });

  test("only the events themselves change the version of pages", () => {
    const writers = sourceFiles.filter((file) => /\.set\(\{ pages_version:/.test(readSource(file)));
    expect(writers).toEqual(["app/services/events/events.server.ts"]);
  });

  test("only the events publish on the bus", () => {
    expect(sourceFiles.filter((file) => readSource(file).includes("bus.publish("))).toEqual([
      "app/services/events/delivery.server.ts",
    ]);
  });
});

const pageTables = "profile|card|handle|subscription|asset";
const pageWrite = new RegExp(
  `(?:insertInto|updateTable|deleteFrom)\\(\\s*"(?:${pageTables})"|(?:insert into|update|delete from) "?(?:${pageTables})\\b`,
);

/** The functions at the top level of a file, each with its text. */
function listFunctions(file: string): { name: string; text: string }[] {
  const parts = readSource(file).split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m);
  return parts.map((text) => ({
    name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1] ?? file,
    text,
  }));
}
