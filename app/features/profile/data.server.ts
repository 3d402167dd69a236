import type { Selectable } from "kysely";
import { z } from "zod";

import type { Services } from "#app/services/context.ts";
import { isUniqueViolation, transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";
import { lockUser } from "#app/services/lock-user.server.ts";
import type { Schema } from "#app/services/schema.ts";

import { maxHandles } from "./handle.ts";
import { nameFromEmail, sampleOwner } from "./rules.ts";

export type Profile = {
  userId: string;
  displayName: string;
  bio: string;
  theme: string;
  links: ProfileLink[];
  showBusinessCard: boolean;
  /** The current one, or "" while none was chosen. */
  handle: string;
  version: number;
  isSample: boolean;
  /** Where their pictures lie in the store, or null. */
  avatarStem: string | null;
  bannerStem: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** Whether search engines may list the page. */
  isListed: boolean;
};

/** `from` and `until` in epoch milliseconds; `tab` as its owner chose it, null where the rule decides. */
export type ProfileLink = z.infer<typeof storedLink>;

/** What the owner may change; everything else is the server's. */
export type ProfileChange = Pick<
  Profile,
  "displayName" | "bio" | "theme" | "links" | "showBusinessCard" | "handle" | "isListed"
>;

export type SaveProfileResult =
  | { kind: "saved" }
  /** Somebody (another tab) saved since the form was opened; nothing was changed. */
  | { kind: "conflict"; current: Profile }
  /** Or it was the handle of an account that was deleted. */
  | { kind: "handle-taken" }
  | { kind: "too-many-handles" }
  /** The account was deleted meanwhile. */
  | { kind: "gone" };

export async function findProfile(db: Db | Trx, userId: string): Promise<Profile | undefined> {
  const row = await selectProfile(db).where("profile.user_id", "=", userId).executeTakeFirst();
  return row && toProfile(row);
}

/**
 * The profile behind `/u/{id}`, where the id is the user's or a handle. A handle that its owner changed is answered with
 * where the profile is now.
 */
export async function findPublicProfile(
  db: Db,
  idOrHandle: string,
): Promise<{ kind: "found"; profile: Profile } | { kind: "moved"; to: string } | undefined> {
  const direct = await findProfile(db, idOrHandle);
  if (direct) return { kind: "found", profile: direct };
  const named = await db
    .selectFrom("handle")
    .select(["user_id", "is_current"])
    .where("handle", "=", idOrHandle.toLowerCase())
    .executeTakeFirst();
  const profile = named && (await findProfile(db, named.user_id));
  if (!profile) return undefined;
  if (profile.handle === idOrHandle) return { kind: "found", profile };
  return { kind: "moved", to: profile.handle || profile.userId };
}

type Owner = { id: string; email: string; now: number };

/**
 * The owner's profile, made at their first visit with the name from their e-mail address. Undefined when their account is gone: a
 * request that was under way while it was deleted must not bring it back. All else that a person owns hangs on this row.
 */
export async function ensureProfile(db: Db, owner: Owner & { id: typeof sampleOwner }): Promise<Profile>;
export async function ensureProfile(db: Db, owner: Owner): Promise<Profile | undefined>;
export async function ensureProfile(db: Db, owner: Owner): Promise<Profile | undefined> {
  const found = await findProfile(db, owner.id);
  if (found) return found;
  return transact(db, async (trx) => {
    if (owner.id !== sampleOwner && !(await lockUser(trx, owner.id))) return undefined;
    return makeProfile(trx, owner);
  });
}

async function makeProfile(trx: Trx, owner: Owner): Promise<Profile> {
  await trx
    .insertInto("profile")
    .values({
      user_id: owner.id,
      display_name: nameFromEmail(owner.email),
      bio: "",
      created_at: owner.now,
      updated_at: owner.now,
    })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  const made = await findProfile(trx, owner.id);
  if (!made) throw new Error(`The profile of ${owner.id} could not be made.`);
  return made;
}

type Save = {
  ownerId: string;
  version: number;
  change: ProfileChange;
  now: number;
  /** Needed where there is a handle: those of deleted accounts are known by their hash alone. */
  sign?: Services["sign"];
};

/** Saves what the owner changed, unless the profile was saved by somebody else since version `version` was read. */
export async function saveProfile(db: Db, save: Save): Promise<SaveProfileResult> {
  try {
    return await transact(db, (trx) => saveIn(trx, save));
  } catch (error) {
    // Two people chose one handle at the same moment: the table's key decided.
    if (isUniqueViolation(error)) return { kind: "handle-taken" };
    throw error;
  }
}

/** Changes only the name and the bio: what the card dialog edits beside the card. */
export async function saveProfileDetails(
  db: Db | Trx,
  save: { ownerId: string; displayName?: string; bio?: string; now: number },
): Promise<void> {
  await db
    .updateTable("profile")
    .set((expression) => ({
      ...(save.displayName !== undefined && { display_name: save.displayName }),
      ...(save.bio !== undefined && { bio: save.bio }),
      version: expression("version", "+", 1),
      updated_at: save.now,
    }))
    .where("user_id", "=", save.ownerId)
    .execute();
}

/** Says on the page that this is nobody's real profile. */
export async function markAsSample(db: Db, userId: string): Promise<void> {
  await db.updateTable("profile").set({ is_sample: 1 }).where("user_id", "=", userId).execute();
}

/** Deletes a profile for good. Its handles stay taken: an address that was printed must never lead to somebody else. */
export async function deleteProfile(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("profile").where("user_id", "=", userId).execute();
}

/**
 * For whoever deletes an account, in the same transaction and before the cards. Of its handles, old ones too, a keyed hash stays: nobody
 * gets them again, since what was printed leads there.
 */
export async function removeProfileOf(trx: Trx, sign: Services["sign"], userId: string): Promise<void> {
  // First: a save, or a new card, that is under way has its turn before this, and what it wrote is seen below.
  await trx.deleteFrom("profile").where("user_id", "=", userId).execute();
  const handles = await trx.deleteFrom("handle").where("user_id", "=", userId).returning("handle").execute();
  if (handles.length === 0) return;
  const hashes = handles.map(({ handle }) => ({ hash: hashOf(sign, handle) }));
  await trx.insertInto("retired_handle").values(hashes).execute();
}

async function saveIn(trx: Trx, save: Save): Promise<SaveProfileResult> {
  const { ownerId, version, change, now, sign } = save;
  const handles = await trx.selectFrom("handle").selectAll().where("user_id", "=", ownerId).execute();
  const refusal = await refuseHandle(trx, { handle: change.handle, owned: handles, sign });
  if (refusal) return { kind: refusal };
  const updated = await trx
    .updateTable("profile")
    .set((expression) => ({
      display_name: change.displayName,
      bio: change.bio,
      theme: change.theme,
      links: JSON.stringify(change.links),
      show_business_card: change.showBusinessCard ? 1 : 0,
      is_listed: change.isListed ? 1 : 0,
      version: expression("version", "+", 1),
      updated_at: now,
    }))
    .where("user_id", "=", ownerId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) {
    const current = await findProfile(trx, ownerId);
    return current ? { kind: "conflict", current } : { kind: "gone" };
  }
  await writeHandle(trx, { ownerId, handle: change.handle, handles, now });
  return { kind: "saved" };
}

type Handles = Selectable<Schema["handle"]>[];

async function refuseHandle(
  trx: Trx,
  { handle, owned, sign }: { handle: string; owned: Handles; sign: Save["sign"] },
): Promise<"handle-taken" | "too-many-handles" | undefined> {
  if (handle === "" || owned.some((row) => row.handle === handle)) return undefined;
  if (owned.length >= maxHandles) return "too-many-handles";
  const taken = await trx.selectFrom("handle").select("handle").where("handle", "=", handle).executeTakeFirst();
  if (taken) return "handle-taken";
  if (!sign) throw new Error("A handle was chosen, and nothing to make its hash with.");
  // After the look above: of an account that is being deleted just now, one of the two is seen.
  const retired = await trx
    .selectFrom("retired_handle")
    .select("hash")
    .where("hash", "=", hashOf(sign, handle))
    .executeTakeFirst();
  return retired && "handle-taken";
}

function hashOf(sign: Services["sign"], handle: string): string {
  return sign("handle", handle);
}

/** Makes a handle the owner's current one. The one before stays theirs, and redirects. */
async function writeHandle(
  trx: Trx,
  { ownerId, handle, handles, now }: { ownerId: string; handle: string; handles: Handles; now: number },
) {
  if (handle === (handles.find((row) => row.is_current === 1)?.handle ?? "")) return;
  await trx.updateTable("handle").set({ is_current: 0 }).where("user_id", "=", ownerId).execute();
  if (handle === "") return;
  if (handles.some((row) => row.handle === handle)) {
    await trx
      .updateTable("handle")
      .set({ is_current: 1 })
      .where("handle", "=", handle)
      .where("user_id", "=", ownerId)
      .execute();
    return;
  }
  // Fails when somebody else took it since we looked: then the whole save is undone and refused.
  await trx.insertInto("handle").values({ handle, user_id: ownerId, is_current: 1, created_at: now }).execute();
}

function selectProfile(db: Db | Trx) {
  return db
    .selectFrom("profile")
    .leftJoin("handle", (join) => join.onRef("handle.user_id", "=", "profile.user_id").on("handle.is_current", "=", 1))
    .selectAll("profile")
    .select("handle.handle");
}

// What came later has a default: rows from before are read as they are.
const storedLink = z.object({
  id: z.string(),
  label: z.string(),
  url: z.string(),
  on: z.boolean(),
  from: z.number().nullable().default(null),
  until: z.number().nullable().default(null),
  tab: z.enum(["professional", "personal"]).nullable().default(null),
});

function toProfile(row: Selectable<Schema["profile"]> & { handle: string | null }): Profile {
  return {
    userId: row.user_id,
    displayName: row.display_name,
    bio: row.bio,
    theme: row.theme,
    links: z.array(storedLink).parse(JSON.parse(row.links)),
    showBusinessCard: row.show_business_card === 1,
    handle: row.handle ?? "",
    version: row.version,
    isSample: row.is_sample === 1,
    avatarStem: row.avatar_stem,
    bannerStem: row.banner_stem,
    resumeFilename: row.resume_filename,
    isListed: row.is_listed === 1,
  };
}
