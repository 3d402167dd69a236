import type { Plan } from "#app/features/billing/rules.ts";
import { countCard } from "#app/features/profile/card-data.server.ts";
import { removeAssetsOfCard } from "#app/features/uploads/data.server.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { DisplayFile } from "#app/services/features/displayed-file.ts";
import type { Services } from "#app/services/http/context.ts";

import { takeCode } from "./code-data.server.ts";
import { olderCards, toCard, toRow } from "./card-row.server.ts";
import { newCardLimit } from "./rules.ts";
import type { Card, CardDetails, CardInput } from "./schema.ts";

/** The owner's cards in the order they chose; by default the newest first. */
export async function listCards(db: Db | Trx, ownerId: string): Promise<Card[]> {
  const rows = await db
    .selectFrom("card")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .orderBy("list_position", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toCard);
}

export async function countCards(db: Db, ownerId: string): Promise<number> {
  const { n } = await db
    .selectFrom("card")
    .select((expression) => expression.fn.countAll<number>().as("n"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return n;
}

export async function findOwnCard(
  db: Db | Trx,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<Card | undefined> {
  const row = await db
    .selectFrom("card")
    .selectAll()
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row && toCard(row);
}

/** A card that everyone with its link can see, with the name and bio of its owner. */
export type PublicCard = {
  card: Card;
  displayName: string;
  bio: string;
  handle: string;
  isSample: boolean;
  /** Whether search engines may list it: the owner's choice for their profile. */
  isListed: boolean;
  /** The stored theme of the owner's profile. */
  theme: string;
  olderCards: number;
  /** Whether visitors can share their contact. */
  hasLeadForm: boolean;
  /** The storage key prefix of the owner's avatar; null without one. */
  avatarKey: string | null;
  /** The last change of the card, or of its owner's name, bio or avatar. Epoch milliseconds. */
  changedAt: number;
  /** Changes with each committed change of the owner's pages. */
  pagesVersion: string;
  /** The owner's row of the table `subscription`; null without one. */
  subscription: { plan: string | null; ends_at: number | null };
};

/** A card by its id or its short address. */
export type CardAddress = { id: string } | { code: string };

/** The card at an address, without one that is not public or paused. `isBeyondPlan` decides whether the plan shows it. */
export async function findPublicCard(db: Db, address: CardAddress): Promise<PublicCard | undefined> {
  const row = await db
    .selectFrom("card")
    .innerJoin("profile", "profile.owner_id", "card.owner_id")
    .leftJoin("handle", (join) => join.onRef("handle.owner_id", "=", "card.owner_id").on("handle.is_current", "=", 1))
    .leftJoin("subscription", "subscription.owner_id", "card.owner_id")
    .leftJoin("lead_form", "lead_form.card_id", "card.id")
    .selectAll("card")
    .select(["subscription.plan", "subscription.ends_at", "lead_form.is_on as has_lead_form"])
    .select(["profile.display_name", "profile.bio", "profile.is_sample", "profile.avatar_key_prefix", "handle.handle"])
    .select(["profile.is_listed", "profile.theme", "profile.pages_version"])
    .select("profile.updated_at as profile_updated_at")
    .select(olderCards)
    .where("id" in address ? "card.id" : "card.code", "=", "id" in address ? address.id : address.code)
    .where("card.is_public", "=", 1)
    .where("card.is_paused", "=", 0)
    .where(isNotBlocked("card.owner_id"))
    .executeTakeFirst();
  return (
    row && {
      card: toCard(row),
      displayName: row.display_name,
      bio: row.bio,
      handle: row.handle ?? "",
      isSample: row.is_sample === 1,
      isListed: row.is_listed === 1,
      theme: row.theme,
      olderCards: Number(row.older_cards),
      hasLeadForm: row.has_lead_form === 1,
      avatarKey: row.avatar_key_prefix,
      changedAt: Math.max(row.updated_at, row.profile_updated_at),
      subscription: { plan: row.plan, ends_at: row.ends_at },
      pagesVersion: row.pages_version,
    }
  );
}

export type CreateCardResult =
  | { kind: "created"; id: string }
  /** The same form was sent before and created `current`; nothing was changed. */
  | { kind: "exists"; current: Card }
  | { kind: "limit" }
  /** The owner created too many cards; epoch milliseconds. Each one takes a short address forever, even if it is deleted. */
  | { kind: "rate-limited"; until: number; limit: string }
  /** The owner's account was deleted, and their profile with it. */
  | { kind: "gone" };

/** Creates a card if the plan allows another one: `insertCard` in a transaction of its own. */
export async function createCard(deps: WriteDeps, create: CreateCardOptions): Promise<CreateCardResult> {
  return transact(deps.db, (trx) => insertCard(trx, deps, create));
}

type WriteDeps = Pick<Services, "db" | "events" | "rateLimits">;
type CreateCardOptions = { ownerId: string; plan: Plan; id: string; change: CardInput; now: number };

/**
 * Creates a card if the plan allows another one. The update of the owner's number of cards checks the limit. `id` is derived from the owner
 * and the form (`deriveCardId`): sending the same form twice creates one card.
 */
export async function insertCard(
  trx: Trx,
  { events, rateLimits }: Omit<WriteDeps, "db">,
  { ownerId, plan, id, change, now }: CreateCardOptions,
): Promise<CreateCardResult> {
  // Another request of the same form has created the card after this.
  await lockOwner(trx, ownerId);
  const current = await findOwnCard(trx, { ownerId, id });
  if (current) return { kind: "exists", current };
  const limited = await rateLimits.consume([{ limit: newCardLimit, subject: ownerId }], { trx });
  if (limited) return { kind: "rate-limited", ...limited };
  if (!(await countCard(trx, { ownerId, by: 1, limit: plan.maxCards }))) {
    const owner = await trx.selectFrom("profile").select("owner_id").where("owner_id", "=", ownerId).executeTakeFirst();
    return { kind: owner ? "limit" : "gone" };
  }
  await trx
    .insertInto("card")
    .values({
      id,
      code: await takeCode(trx),
      owner_id: ownerId,
      ...toRow(change),
      list_position: now,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await events.record(trx, { kind: "card.saved", ownerId, cardId: id, isNew: true });
  return { kind: "created", id };
}

export type SaveCardResult = { kind: "saved" } | { kind: "missing" } | { kind: "conflict"; current: Card };

/** Saves a card unless a newer version than `version` is stored. */
export async function saveCard(
  { db, events }: Pick<Services, "db" | "events">,
  { version, ...save }: WriteCardOptions & { version: number },
): Promise<SaveCardResult> {
  return transact(db, async (trx) => {
    await lockOwner(trx, save.ownerId);
    const current = await findOwnCard(trx, save);
    if (!current) return { kind: "missing" };
    if (current.version !== version) return { kind: "conflict", current };
    await writeCard(trx, events, save);
    return { kind: "saved" };
  });
}

type WriteCardOptions = { ownerId: string; id: string; change: CardInput; now: number };

/** Replaces a card of a locked owner. */
export async function writeCard(
  trx: Trx,
  events: Services["events"],
  { ownerId, id, change, now }: WriteCardOptions,
): Promise<void> {
  await trx
    .updateTable("card")
    .set((expression) => ({ ...toRow(change), version: expression("version", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .execute();
  await events.record(trx, { kind: "card.saved", ownerId, cardId: id });
}

/** Hides a card of a locked owner from visitors, or shows it again. Its version stays the same, so that an open form can still be saved. */
export async function setPaused(
  trx: Trx,
  events: Services["events"],
  { ownerId, id, isPaused }: { ownerId: string; id: string; isPaused: boolean },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("card")
    .set({ is_paused: isPaused ? 1 : 0 })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("is_paused", "=", isPaused ? 0 : 1)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await events.record(trx, { kind: "card.saved", ownerId, cardId: id });
}

/** Changes only the given fields, for the card dialog, whatever the card's version. False when the owner has no such card. */
export async function saveCardFields(
  trx: Trx,
  events: Services["events"],
  { ownerId, id, fields, now }: { ownerId: string; id: string; fields: Partial<CardDetails>; now: number },
): Promise<boolean> {
  await lockOwner(trx, ownerId);
  const { numUpdatedRows } = await trx
    .updateTable("card")
    .set((expression) => ({ ...fields, version: expression("version", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await events.record(trx, { kind: "card.saved", ownerId, cardId: id });
  return true;
}

/** Displays a logo on a card, or none. */
export const displayLogo: DisplayFile = async (trx, { ownerId, id, displayed, now }) => {
  await lockOwner(trx, ownerId);
  const { numUpdatedRows } = await trx
    .updateTable("card")
    .set({ logo_key_prefix: displayed?.keyPrefix ?? null, updated_at: now })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes a card and its logo; false when the owner has no such card. Its counts stay in the owner's totals (decision 61). */
export async function deleteCard(
  { db, events, jobs }: Pick<Services, "db" | "events" | "jobs">,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<boolean> {
  return transact(db, async (trx) => {
    // An upload takes its locks in the same order.
    await removeAssetsOfCard(trx, jobs, { ownerId, cardId: id });
    await lockOwner(trx, ownerId);
    const { numDeletedRows } = await trx
      .deleteFrom("card")
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await countCard(trx, { ownerId, by: -1 });
    await events.record(trx, { kind: "card.deleted", ownerId, cardId: id });
    return true;
  });
}

/**
 * Deletes all cards of an account. Call it in the transaction that deletes the account, after the profile, so that no card is
 * created in between. Their logos are deleted with the owner's files.
 */
export async function deleteAllCards(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("card").where("owner_id", "=", ownerId).execute();
}
