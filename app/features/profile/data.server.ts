import type { Selectable } from "kysely";
import { z } from "zod";

import { isUniqueViolation, transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";
import type { Schema } from "#app/services/schema.ts";

import { maxHandles } from "./handle.ts";
import { nameFromEmail } from "./rules.ts";

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
  | { kind: "handle-taken" }
  | { kind: "too-many-handles" };

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

/** The owner's profile, made at their first visit with the name from their e-mail address. */
export async function ensureProfile(db: Db, owner: { id: string; email: string; now: number }): Promise<Profile> {
  const found = await findProfile(db, owner.id);
  if (found) return found;
  await db
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
  const made = await findProfile(db, owner.id);
  if (!made) throw new Error(`The profile of ${owner.id} could not be made.`);
  return made;
}

/** Saves what the owner changed, unless the profile was saved by somebody else since version `version` was read. */
export async function saveProfile(
  db: Db,
  save: { ownerId: string; version: number; change: ProfileChange; now: number },
): Promise<SaveProfileResult> {
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

/** For whoever deletes an account, in the same transaction. Its handles are free again, the old ones too. */
export async function removeProfileOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("handle").where("user_id", "=", userId).execute();
  await trx.deleteFrom("profile").where("user_id", "=", userId).execute();
}

async function saveIn(trx: Trx, save: Parameters<typeof saveProfile>[1]): Promise<SaveProfileResult> {
  const { ownerId, version, change, now } = save;
  const handles = await trx.selectFrom("handle").selectAll().where("user_id", "=", ownerId).execute();
  const refusal = await refuseHandle(trx, change.handle, handles);
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
    if (!current) throw new Error(`There is no profile of ${ownerId} to save.`);
    return { kind: "conflict", current };
  }
  await writeHandle(trx, { ownerId, handle: change.handle, handles, now });
  return { kind: "saved" };
}

type Handles = Selectable<Schema["handle"]>[];

async function refuseHandle(trx: Trx, handle: string, owned: Handles) {
  if (handle === "" || owned.some((row) => row.handle === handle)) return undefined;
  if (owned.length >= maxHandles) return "too-many-handles";
  const taken = await trx.selectFrom("handle").select("handle").where("handle", "=", handle).executeTakeFirst();
  return taken && "handle-taken";
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
