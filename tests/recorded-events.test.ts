import { describe, expect, test } from "vitest";

import { deleteSubscription } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import {
  createCard,
  deleteAllCards,
  deleteCard,
  listCards,
  saveCard,
  saveCardFields,
} from "#app/features/cards/data.server.ts";
import { duplicateCard, moveCard, pauseCard } from "#app/features/cards/list/list-data.server.ts";
import { newCard } from "#app/features/cards/rules.ts";
import {
  deleteProfile,
  ensureProfile,
  markAsSample,
  saveProfile,
  saveProfileDetails,
} from "#app/features/profile/data.server.ts";
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
const card = newCard({ displayName: "Ada", links: [] });
const profile = {
  displayName: "A",
  bio: "",
  theme: "default",
  links: [],
  showBusinessCard: true,
  contactCardId: "",
  isListed: true,
};
const create = (formId: string): Write => {
  return (store) => createCard(store, { ownerId, plan: plans.premium, id: formId, change: card, now });
};
const inTransaction = (
  { db, events }: AssetStore,
  work: (trx: Trx, events: AssetStore["events"]) => Promise<unknown>,
) => transact(db, (trx) => work(trx, events));

/** Each write to what a public page shows, and the event that it records. */
const writes: Record<string, { event: string; before?: Write; write: Write }> = {
  "a new card": { event: "card.saved", write: create("new") },
  "a saved card": {
    event: "card.saved",
    write: (store) => saveCard(store, { ownerId, id, version: 1, change: card, now }),
  },
  "fields of a card": {
    event: "card.saved",
    write: (store) =>
      inTransaction(store, (trx, events) => saveCardFields(trx, events, { ownerId, id, fields: { phone: "1" }, now })),
  },
  "a deleted card": { event: "card.deleted", write: (store) => deleteCard(store, { ownerId, id }) },
  "a paused card": { event: "card.saved", write: (store) => pauseCard(store, { ownerId, id, isPaused: true }) },
  "a card that is unpaused": {
    event: "card.saved",
    before: (store) => pauseCard(store, { ownerId, id, isPaused: true }),
    write: (store) => pauseCard(store, { ownerId, id, isPaused: false }),
  },
  "a moved card": {
    event: "card.saved",
    before: create("b"),
    write: (store) => moveCard(store, { ownerId, id, to: 0 }),
  },
  "a copied card": {
    event: "card.saved",
    write: (store) => duplicateCard(store, { ownerId, plan: plans.premium, id, formId: "f", now }),
  },
  "a saved profile": {
    event: "profile.saved",
    write: (store) => saveProfile(store, { ownerId, version: 1, change: { ...profile, handle: "" }, now }),
  },
  "a new handle": {
    event: "profile.saved",
    write: (store) => saveProfile(store, { ownerId, version: 1, change: { ...profile, handle: "ada-l" }, now }),
  },
  "a new name": {
    event: "profile.saved",
    write: (store) =>
      inTransaction(store, (trx, events) => saveProfileDetails(trx, events, { ownerId, displayName: "C", now })),
  },
  "a profile marked as a sample": { event: "profile.saved", write: (store) => markAsSample(store, ownerId) },
  "a new avatar": { event: "file.saved", write: async (store) => storeFile(store, "avatar") },
  "a new logo": { event: "file.saved", write: async (store) => storeFile(store, `logo:${id}`) },
  "a removed banner": {
    event: "file.removed",
    before: (store) => storeFile(store, "banner"),
    write: (store) => removeAsset(store, { ownerId, slot: "banner" }),
  },
  "a granted plan": { event: "plan.changed", write: (store) => makePremium(store, ownerId) },
  "a plan that is revoked": {
    event: "plan.changed",
    before: (store) => makePremium(store, ownerId),
    write: (store) => makeFree(store, ownerId),
  },
};

async function storeFile(store: AssetStore, slot: "avatar" | "banner" | `logo:${string}`) {
  return storeAsset(store, { ownerId, slot, upload: await jpeg() });
}

describeOnEachDatabase("a write to what public pages show", (makeDb) => {
  test.each(Object.entries(writes))("records its event: %s", async (_, { event, before, write }) => {
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
    const visit = () => ensureProfile(store, { id: sampleOwnerId, email: "demo@example.com", now });
    await Promise.all([visit(), visit(), visit()]);
    await deleteProfile(store, sampleOwnerId);
    expect(store.recorded.map(({ kind }) => kind)).toEqual(["profile.saved", "account.deleted"]);
  });

  test("records nothing when it changes nothing", async () => {
    const store = await openAssetStore(await makeDb());
    const stranger = { ownerId: "eve", id, now };
    await ensureProfile(store, { id: ownerId, email: "ada@example.com", now });
    await saveCard(store, { ownerId, id, version: 7, change: card, now });
    await saveCard(store, { ...stranger, version: 1, change: card });
    await inTransaction(store, (trx, events) => saveCardFields(trx, events, { ...stranger, fields: { phone: "1" } }));
    await deleteCard(store, stranger);
    await pauseCard(store, { ...stranger, isPaused: true });
    await pauseCard(store, { ownerId, id, isPaused: false });
    await moveCard(store, { ...stranger, to: 0 });
    await moveCard(store, { ownerId, id, to: 0 });
    await duplicateCard(store, { ...stranger, plan: plans.premium, formId: "f" });
    await createCard(store, { ownerId, plan: { ...plans.free, maxCards: 1 }, id: "second", change: card, now });
    await create(id)(store);
    await saveProfile(store, { ownerId, version: 7, change: { ...profile, handle: "" }, now });
    await removeAsset(store, { ownerId, slot: "logo:card-of-eda" });
    await storeAsset(store, { ownerId, slot: "avatar", upload: new Uint8Array(9) });
    expect(store.recorded).toEqual([]);
    expect(await versionOf(store)).toBe("");
    expect(await listCards(store.db, ownerId)).toHaveLength(1);
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
  lockEntitlement: "changes nothing",
  [deleteAllCards.name]: "part of deleting an account",
  deleteProfileOfAccount: "part of deleting an account",
  writeHandle: "part of saveInTransaction",
  insertAsset: "reserves an upload, which no page shows yet",
  deleteAsset: "part of commitInTransaction and deleteAssets",
  markReady: "part of commitInTransaction",
  updateAssetFiles: "what the process found out about a file; pages don't show it",
  setDisplayedFile: "part of commitInTransaction and removeAsset",
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
