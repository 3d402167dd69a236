import type { Plan } from "#app/features/billing/rules.ts";
import { removeAssetsOfCard } from "#app/features/uploads/data.server.ts";
import type { Services } from "#app/services/context.ts";
import { isUniqueViolation, transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";

import { toCard, toRow } from "./card-row.server.ts";
import type { CardMore } from "./more-fields.ts";
import { oldestCardId } from "./oldest-card.server.ts";

export type Card = CardChange & {
  id: string;
  userId: string;
  /** Where the company's logo lies in the store; null: there is none. */
  logoStem: string | null;
  /** Taken out of the public by its owner for a while. */
  isPaused: boolean;
  /** The list shows higher places first. */
  place: number;
  version: number;
  createdAt: number;
  updatedAt: number;
};

export type ProfessionalLink = { id: string; name: string; url: string };

/** What the owner may change. Text that was left empty is "". */
export type CardChange = {
  cardName: string;
  profession: string;
  company: string;
  position: string;
  email: string;
  phone: string;
  yearsExperience: number | null;
  links: ProfessionalLink[];
  isPublic: boolean;
  more: CardMore;
};

/** What the card dialog changes; here the columns have the same names. */
export type CardDetails = Pick<CardChange, "profession" | "company" | "position" | "email" | "phone">;

/** The owner's cards in their own order; where they made none, newest first. */
export async function listCards(db: Db, ownerId: string): Promise<Card[]> {
  const rows = await db
    .selectFrom("card")
    .selectAll()
    .where("user_id", "=", ownerId)
    .orderBy("place", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toCard);
}

export async function countCards(db: Db, ownerId: string): Promise<number> {
  const { n } = await db
    .selectFrom("card")
    .select((expression) => expression.fn.countAll<number>().as("n"))
    .where("user_id", "=", ownerId)
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
    .where("user_id", "=", ownerId)
    .executeTakeFirst();
  return row && toCard(row);
}

/** A card that everybody with its link may see, and the name and bio of its owner. */
export type PublicCard = {
  card: Card;
  displayName: string;
  bio: string;
  handle: string;
  isSample: boolean;
  /** Whether search engines may list it: what the owner chose for their profile. */
  isListed: boolean;
  isOldest: boolean;
  /** The owner's picture in the store; null: there is none. */
  avatarStem: string | null;
  /** When something of it was last changed: the card, or its owner's name, bio or picture. Epoch milliseconds. */
  changedAt: number;
};

/** Undefined for an unknown card, one that is not public and one that its owner paused, alike. Whether the plan shows it is `isBeyondPlan`'s to say. */
export async function findPublicCard(db: Db, id: string): Promise<PublicCard | undefined> {
  const row = await db
    .selectFrom("card")
    .innerJoin("profile", "profile.user_id", "card.user_id")
    .leftJoin("handle", (join) => join.onRef("handle.user_id", "=", "card.user_id").on("handle.is_current", "=", 1))
    .selectAll("card")
    .select(["profile.display_name", "profile.bio", "profile.is_sample", "profile.avatar_stem", "handle.handle"])
    .select("profile.is_listed")
    .select("profile.updated_at as profile_updated_at")
    .select(oldestCardId)
    .where("card.id", "=", id)
    .where("card.is_public", "=", 1)
    .where("card.is_paused", "=", 0)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    card: toCard(row),
    displayName: row.display_name,
    bio: row.bio,
    handle: row.handle ?? "",
    isSample: row.is_sample === 1,
    isListed: row.is_listed === 1,
    isOldest: row.oldest_id === row.id,
    avatarStem: row.avatar_stem,
    changedAt: Math.max(row.updated_at, row.profile_updated_at),
  };
}

export type CreateCardResult =
  | { kind: "created"; id: string }
  /** The same form came before and made `current`; nothing was changed. */
  | { kind: "exists"; current: Card }
  | { kind: "limit" }
  /** The owner has no profile any more: their account was deleted. */
  | { kind: "gone" };

/**
 * Makes a card when the plan has room for it. The room is checked in the write itself, so that many requests at once can't pass it.
 * `id` comes from the form: the same form sent twice makes one card. An id that is somebody else's is replaced.
 */
export async function createCard(
  db: Db,
  create: { ownerId: string; plan: Plan; id: string; change: CardChange; now: number },
): Promise<CreateCardResult> {
  const { ownerId, id } = create;
  try {
    return await transact(db, (trx) => createIn(trx, create));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const current = await findOwnCard(db, { ownerId, id });
    if (current) return { kind: "exists", current };
    return createCard(db, { ...create, id: crypto.randomUUID() });
  }
}

async function createIn(
  trx: Trx,
  { ownerId, plan, id, change, now }: Parameters<typeof createCard>[1],
): Promise<CreateCardResult> {
  const current = await findOwnCard(trx, { ownerId, id });
  if (current) return { kind: "exists", current };
  const room = await trx
    .updateTable("profile")
    .set((expression) => ({ cards_owned: expression("cards_owned", "+", 1) }))
    .where("user_id", "=", ownerId)
    .$if(Number.isFinite(plan.maxCards), (query) => query.where("cards_owned", "<", plan.maxCards))
    .executeTakeFirst();
  if (room.numUpdatedRows === 0n) {
    // The write above may have waited for the same form's first request to take the room.
    const meanwhile = await findOwnCard(trx, { ownerId, id });
    if (meanwhile) return { kind: "exists", current: meanwhile };
    const owner = await trx.selectFrom("profile").select("user_id").where("user_id", "=", ownerId).executeTakeFirst();
    return { kind: owner ? "limit" : "gone" };
  }
  await trx
    .insertInto("card")
    .values({ id, user_id: ownerId, ...toRow(change), place: now, created_at: now, updated_at: now })
    .execute();
  return { kind: "created", id };
}

export type SaveCardResult = { kind: "saved" } | { kind: "missing" } | { kind: "conflict"; current: Card };

/** Saves a card, unless it was saved by somebody else since version `version` was read. */
export async function saveCard(
  db: Db,
  {
    ownerId,
    id,
    version,
    change,
    now,
  }: { ownerId: string; id: string; version: number; change: CardChange; now: number },
): Promise<SaveCardResult> {
  const { numUpdatedRows } = await db
    .updateTable("card")
    .set((expression) => ({ ...toRow(change), version: expression("version", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .where("user_id", "=", ownerId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return { kind: "saved" };
  const current = await findOwnCard(db, { ownerId, id });
  return current ? { kind: "conflict", current } : { kind: "missing" };
}

/** Changes only the given fields, whatever version the card is at: what the card dialog edits. False when there is no such own card. */
export async function saveCardFields(
  db: Db | Trx,
  { ownerId, id, fields, now }: { ownerId: string; id: string; fields: Partial<CardDetails>; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("card")
    .set((expression) => ({ ...fields, version: expression("version", "+", 1), updated_at: now }))
    .where("id", "=", id)
    .where("user_id", "=", ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an own card for good, with its logo; false when there is none. */
export async function deleteCard(
  { db, jobs }: Pick<Services, "db" | "jobs">,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<boolean> {
  return transact(db, async (trx) => {
    // First, because an upload locks in this order too.
    await removeAssetsOfCard(trx, jobs, { ownerId, cardId: id });
    const { numDeletedRows } = await trx
      .deleteFrom("card")
      .where("id", "=", id)
      .where("user_id", "=", ownerId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await trx
      .updateTable("profile")
      .set((expression) => ({ cards_owned: expression("cards_owned", "-", 1) }))
      .where("user_id", "=", ownerId)
      .execute();
    return true;
  });
}

/** For whoever deletes an account, in the same transaction and after the profile, so that no card is made meanwhile; their logos go with all their files. */
export async function removeCardsOf(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("card").where("user_id", "=", ownerId).execute();
}
