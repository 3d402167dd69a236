import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { z } from "zod";

import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Schema } from "#app/services/database/schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { maxHandles } from "./handle-rules.ts";
import { nameFromEmail, sampleOwnerId } from "./rules.ts";

export type Profile = {
  ownerId: string;
  displayName: string;
  bio: string;
  theme: string;
  links: ProfileLink[];
  showBusinessCard: boolean;
  /** "" when none was chosen. */
  handle: string;
  version: number;
  isSample: boolean;
  /** Storage key prefixes of the images, or null. */
  avatarKey: string | null;
  bannerKey: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** Whether search engines may list the page. */
  isListed: boolean;
  /** Changes with each committed change of the owner's pages. */
  pagesVersion: string;
};

/** `from` and `until` in epoch milliseconds; `tab` is the owner's choice, or null when the rule decides. */
export type ProfileLink = z.infer<typeof storedLinkSchema>;

/** The fields that the owner may change. */
export type ProfileChange = Pick<
  Profile,
  "displayName" | "bio" | "theme" | "links" | "showBusinessCard" | "handle" | "isListed"
>;

export type SaveProfileResult =
  | { kind: "saved" }
  /** The profile was saved (in another tab) after the form was opened. Nothing was changed. */
  | { kind: "conflict"; current: Profile }
  /** Also for handles of deleted accounts. */
  | { kind: "handle-taken" }
  | { kind: "too-many-handles" }
  /** The account was deleted in the meantime. */
  | { kind: "gone" };

export async function findProfile(db: Db | Trx, ownerId: string): Promise<Profile | undefined> {
  const row = await selectProfile(db).where("profile.owner_id", "=", ownerId).executeTakeFirst();
  return row && toProfile(row);
}

/**
 * The profile at `/u/{id}`, where the id is a user id or a handle. For a former handle, or one in capitals, `to` is the current
 * path segment.
 */
export async function findPublicProfile(
  db: Db,
  idOrHandle: string,
): Promise<{ kind: "found"; profile: Profile } | { kind: "moved"; to: string } | undefined> {
  const direct = await findProfile(db, idOrHandle);
  if (direct) return { kind: "found", profile: direct };
  const named = await db
    .selectFrom("handle")
    .select(["owner_id", "is_current"])
    .where("handle", "=", idOrHandle.toLowerCase())
    .executeTakeFirst();
  const profile = named && (await findProfile(db, named.owner_id));
  if (!profile) return undefined;
  if (profile.handle === idOrHandle) return { kind: "found", profile };
  return { kind: "moved", to: profile.handle || profile.ownerId };
}

type ProfileOwner = { id: string; email: string; now: number };

/**
 * The owner's profile, created at their first visit with a name from their email address. Undefined when the account was deleted: a
 * concurrent request must not bring it back. Everything else that a user owns depends on this row.
 */
export async function ensureProfile(db: Db, owner: ProfileOwner & { id: typeof sampleOwnerId }): Promise<Profile>;
export async function ensureProfile(db: Db, owner: ProfileOwner): Promise<Profile | undefined>;
export async function ensureProfile(db: Db, owner: ProfileOwner): Promise<Profile | undefined> {
  const found = await findProfile(db, owner.id);
  if (found) return found;
  return transact(db, async (trx) => {
    if (owner.id !== sampleOwnerId && !(await lockUser(trx, owner.id))) return undefined;
    return createProfile(trx, owner);
  });
}

async function createProfile(trx: Trx, owner: ProfileOwner): Promise<Profile> {
  await trx
    .insertInto("profile")
    .values({
      owner_id: owner.id,
      display_name: nameFromEmail(owner.email),
      bio: "",
      created_at: owner.now,
      updated_at: owner.now,
    })
    .onConflict((conflict) => conflict.column("owner_id").doNothing())
    .execute();
  const created = await findProfile(trx, owner.id);
  if (!created) throw new Error(`The profile of ${owner.id} could not be created.`);
  return created;
}

type SaveProfileOptions = {
  ownerId: string;
  version: number;
  change: ProfileChange;
  now: number;
  /** Recognizes handles that were retired by earlier versions, which hashed them with the installation's secret. */
  sign?: Services["sign"];
};

/** Saves the owner's changes unless the stored version is no longer `version`. */
export async function saveProfile(db: Db, save: SaveProfileOptions): Promise<SaveProfileResult> {
  try {
    return await transact(db, (trx) => saveInTransaction(trx, save));
  } catch (error) {
    // Another user chose the same handle at the same time.
    if (isUniqueViolation(error)) return { kind: "handle-taken" };
    throw error;
  }
}

/** Changes only the name and the bio, which the card dialog edits too. */
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
    .where("owner_id", "=", save.ownerId)
    .execute();
}

/** The page then says that the profile is a sample. */
export async function markAsSample(db: Db, ownerId: string): Promise<void> {
  await db.updateTable("profile").set({ is_sample: 1 }).where("owner_id", "=", ownerId).execute();
}

/** Deletes a profile. Its handles stay taken, because printed URLs must never lead to another user. */
export async function deleteProfile(db: Db, ownerId: string): Promise<void> {
  await db.deleteFrom("profile").where("owner_id", "=", ownerId).execute();
}

/**
 * Deletes the profile and its handles, old ones too, as part of deleting the account and before its cards. A hash of each handle stays:
 * no one gets it again, because printed codes still lead there.
 */
export async function deleteProfileOfAccount(trx: Trx, ownerId: string): Promise<void> {
  // First: a save or a new card in progress finishes before this statement, and the ones below see what it wrote.
  await trx.deleteFrom("profile").where("owner_id", "=", ownerId).execute();
  const handles = await trx.deleteFrom("handle").where("owner_id", "=", ownerId).returning("handle").execute();
  if (handles.length === 0) return;
  const hashes = handles.map(({ handle }) => ({ hash: hashHandle(handle) }));
  await trx.insertInto("retired_handle").values(hashes).execute();
}

async function saveInTransaction(trx: Trx, save: SaveProfileOptions): Promise<SaveProfileResult> {
  const { ownerId, version, change, now, sign } = save;
  const handles = await trx.selectFrom("handle").selectAll().where("owner_id", "=", ownerId).execute();
  const refusal = await findHandleProblem(trx, { handle: change.handle, owned: handles, sign });
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
    .where("owner_id", "=", ownerId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) {
    const current = await findProfile(trx, ownerId);
    return current ? { kind: "conflict", current } : { kind: "gone" };
  }
  await writeHandle(trx, { ownerId, handle: change.handle, handles, now });
  return { kind: "saved" };
}

type HandleRows = Selectable<Schema["handle"]>[];

async function findHandleProblem(
  trx: Trx,
  { handle, owned, sign }: { handle: string; owned: HandleRows; sign: SaveProfileOptions["sign"] },
): Promise<"handle-taken" | "too-many-handles" | undefined> {
  if (handle === "" || owned.some((row) => row.handle === handle)) return undefined;
  if (owned.length >= maxHandles) return "too-many-handles";
  const taken = await trx.selectFrom("handle").select("handle").where("handle", "=", handle).executeTakeFirst();
  if (taken) return "handle-taken";
  // After the query above: of an account that is being deleted right now, one of the two finds the handle.
  const retired = await trx
    .selectFrom("retired_handle")
    .select("hash")
    .where("hash", "in", sign ? [hashHandle(handle), sign("handle", handle)] : [hashHandle(handle)])
    .executeTakeFirst();
  return retired && "handle-taken";
}

/** Needs no secret, so a handle stays retired when the installation's secrets are lost. Older rows are keyed with the secret (`sign`). */
function hashHandle(handle: string): string {
  return createHash("sha256").update(`handle\n${handle}`).digest("base64url");
}

/** Makes a handle the owner's current one. Their former handle still belongs to them, and redirects. */
async function writeHandle(
  trx: Trx,
  { ownerId, handle, handles, now }: { ownerId: string; handle: string; handles: HandleRows; now: number },
) {
  if (handle === (handles.find((row) => row.is_current === 1)?.handle ?? "")) return;
  await trx.updateTable("handle").set({ is_current: 0 }).where("owner_id", "=", ownerId).execute();
  if (handle === "") return;
  if (handles.some((row) => row.handle === handle)) {
    await trx
      .updateTable("handle")
      .set({ is_current: 1 })
      .where("handle", "=", handle)
      .where("owner_id", "=", ownerId)
      .execute();
    return;
  }
  // Fails if another user took it since the check: then the whole save is rolled back and refused.
  await trx.insertInto("handle").values({ handle, owner_id: ownerId, is_current: 1, created_at: now }).execute();
}

function selectProfile(db: Db | Trx) {
  return db
    .selectFrom("profile")
    .leftJoin("handle", (join) =>
      join.onRef("handle.owner_id", "=", "profile.owner_id").on("handle.is_current", "=", 1),
    )
    .selectAll("profile")
    .select("handle.handle");
}

// Fields added later have defaults for older rows.
const storedLinkSchema = z.object({
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
    ownerId: row.owner_id,
    displayName: row.display_name,
    bio: row.bio,
    theme: row.theme,
    links: z.array(storedLinkSchema).parse(JSON.parse(row.links)),
    showBusinessCard: row.show_business_card === 1,
    handle: row.handle ?? "",
    version: row.version,
    isSample: row.is_sample === 1,
    avatarKey: row.avatar_stem,
    bannerKey: row.banner_stem,
    resumeFilename: row.resume_filename,
    isListed: row.is_listed === 1,
    pagesVersion: row.pages_version,
  };
}
