import type { Selectable } from "kysely";
import { z } from "zod";

import { linkKinds, optionalLinkTexts } from "#app/features/links/rules.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { mapFields, namesOf, recordOf } from "#app/services/base/form-fields.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Schema } from "#app/services/database/schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { findHandleProblem, hashHandle, writeHandle } from "./handle/handle-data.server.ts";
import { contactCardColumns } from "./public/contact-card.server.ts";
import type { ContactCards } from "./public/contact-card.server.ts";
import { switchLabels, typedTexts } from "./profile-fields.ts";
import type { ProfileSwitchName, ProfileTextName } from "./profile-fields.ts";
import { nameOf, sampleOwnerId } from "./rules.ts";

/** The `handle` is "" when none was chosen. `isListed`: whether search engines may list the page. */
export type Profile = ProfileChange & {
  ownerId: string;
  /** The card that visitors open and save, or `noContactCard`; "" for the oldest one that they can open. */
  contactCardId: string;
  version: number;
  isSample: boolean;
  /** Storage key prefixes of the images, or null. */
  avatarKey: string | null;
  bannerKey: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** Changes with each committed change of the owner's pages. */
  pagesVersion: string;
};

/** `from` and `until` in epoch milliseconds; `tab` is the owner's choice, or null when the rule decides. */
export type ProfileLink = z.infer<typeof storedLinkSchema>;

/** The fields that the owner may change. */
export type ProfileChange = Record<ProfileTextName, string> &
  Record<ProfileSwitchName, boolean> & { links: ProfileLink[] };

export type SaveProfileResult =
  /** "handle-taken": also by a deleted account. "gone": the owner's account was deleted in the meantime. */
  | { kind: "saved" | "handle-taken" | "too-many-handles" | "gone" }
  /** The profile was saved (in another tab) after the form was opened. Nothing was changed. */
  | { kind: "conflict"; current: Profile };

export async function findProfile(db: Db | Trx, ownerId: string): Promise<Profile | undefined> {
  const row = await selectProfile(db).where("profile.owner_id", "=", ownerId).executeTakeFirst();
  return row && toProfile(row);
}

/** A profile with its owner's row of the table `subscription`; null without one. */
type FoundProfile = {
  kind: "found";
  profile: Profile;
  subscription: { plan: string | null; ends_at: number | null };
  contactCards: ContactCards;
};

/**
 * The profile at `/u/{id}`, where the id is a user id or a handle. For a former handle, or one in capitals, `to` is the current
 * path segment.
 */
export async function findPublicProfile(
  db: Db,
  idOrHandle: string,
): Promise<FoundProfile | { kind: "moved"; to: string } | undefined> {
  const ownerOfHandle = db
    .selectFrom("handle as named")
    .select("named.owner_id")
    .where("named.handle", "=", idOrHandle.toLowerCase());
  const rows = await selectProfile(db)
    .leftJoin("subscription", "subscription.owner_id", "profile.owner_id")
    .select(["subscription.plan", "subscription.ends_at", ...contactCardColumns])
    .where(isNotBlocked("profile.owner_id"))
    .where(({ eb, or }) => or([eb("profile.owner_id", "=", idOrHandle), eb("profile.owner_id", "=", ownerOfHandle)]))
    .execute();
  const row = rows.find(({ owner_id }) => owner_id === idOrHandle) ?? rows[0];
  if (!row) return undefined;
  if (row.owner_id !== idOrHandle && row.handle !== idOrHandle)
    return { kind: "moved", to: row.handle ?? row.owner_id };
  return {
    kind: "found",
    profile: toProfile(row),
    subscription: { plan: row.plan, ends_at: row.ends_at },
    contactCards: row,
  };
}

type ProfileOwner = { id: string; email: string; name?: string; now: number };

/**
 * The owner's profile, created at their first visit with the name of the account. Undefined when the account was deleted: a
 * concurrent request must not bring it back. Everything else that a user owns depends on this row.
 */
export async function ensureProfile(
  services: WriteDeps,
  owner: ProfileOwner & { id: typeof sampleOwnerId },
): Promise<Profile>;
export async function ensureProfile(services: WriteDeps, owner: ProfileOwner): Promise<Profile | undefined>;
export async function ensureProfile({ db, events }: WriteDeps, owner: ProfileOwner): Promise<Profile | undefined> {
  const found = await findProfile(db, owner.id);
  if (found) return found;
  return transact(db, async (trx) => {
    if (owner.id !== sampleOwnerId && !(await lockUser(trx, owner.id))) return undefined;
    return createProfile(trx, events, owner);
  });
}

/** What a write needs: its transaction also records the event. */
type WriteDeps = Pick<Services, "db" | "events">;

export async function createProfile(trx: Trx, events: Services["events"], owner: ProfileOwner): Promise<Profile> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto("profile")
    .values({
      owner_id: owner.id,
      display_name: nameOf(owner),
      bio: "",
      created_at: owner.now,
      updated_at: owner.now,
    })
    .onConflict((conflict) => conflict.column("owner_id").doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) await events.record(trx, { kind: "profile.saved", ownerId: owner.id });
  const created = await findProfile(trx, owner.id);
  if (!created) throw new Error(`The profile of ${owner.id} could not be created.`);
  return created;
}

type WriteProfileOptions = { ownerId: string; change: ProfileChange; now: number };

/** Saves the owner's changes unless a newer version than `version` is stored. */
export async function saveProfile(
  { db, events }: WriteDeps,
  { version, ...save }: WriteProfileOptions & { version: number },
): Promise<SaveProfileResult> {
  return transactProfile(db, save.ownerId, async (trx, current) =>
    current.version === version ? writeProfile(trx, events, save) : { kind: "conflict", current },
  );
}

/** Runs `save` with the stored profile of an owner whose other writes wait. */
export async function transactProfile<Result>(
  db: Db,
  ownerId: string,
  save: (trx: Trx, current: Profile) => Promise<Result>,
): Promise<Result | { kind: "gone" } | { kind: "handle-taken" }> {
  try {
    return await transact(db, async (trx) => {
      await lockOwner(trx, ownerId);
      const current = await findProfile(trx, ownerId);
      return current ? save(trx, current) : { kind: "gone" };
    });
  } catch (error) {
    // Another user chose the same handle at the same time.
    if (isUniqueViolation(error)) return { kind: "handle-taken" };
    throw error;
  }
}

/** Changes only the name and the bio, which the card dialog edits too. */
export async function saveProfileDetails(
  trx: Trx,
  events: Services["events"],
  save: { ownerId: string; displayName?: string; bio?: string; now: number },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("profile")
    .set((expression) => ({
      ...(save.displayName !== undefined && { display_name: save.displayName }),
      ...(save.bio !== undefined && { bio: save.bio }),
      version: expression("version", "+", 1),
      updated_at: save.now,
    }))
    .where("owner_id", "=", save.ownerId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await events.record(trx, { kind: "profile.saved", ownerId: save.ownerId });
}

/** The page then says that the profile is a sample. */
export async function markAsSample({ db, events }: WriteDeps, ownerId: string): Promise<void> {
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profile")
      .set({ is_sample: 1 })
      .where("owner_id", "=", ownerId)
      .where("is_sample", "=", 0)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await events.record(trx, { kind: "profile.saved", ownerId });
  });
}

/** Deletes a profile. Its handles stay taken, because printed URLs must never lead to another user. */
export async function deleteProfile({ db, events }: WriteDeps, ownerId: string): Promise<void> {
  await transact(db, async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom("profile").where("owner_id", "=", ownerId).executeTakeFirst();
    if (numDeletedRows > 0n) await events.record(trx, { kind: "account.deleted", ownerId });
  });
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

/** Replaces the profile of a locked owner. */
export async function writeProfile(
  trx: Trx,
  events: Services["events"],
  { ownerId, change, now }: WriteProfileOptions,
): Promise<{ kind: "saved" | "handle-taken" | "too-many-handles" }> {
  const handles = await trx.selectFrom("handle").selectAll().where("owner_id", "=", ownerId).execute();
  const refusal = await findHandleProblem(trx, { handle: change.handle, owned: handles });
  if (refusal) return { kind: refusal };
  await trx
    .updateTable("profile")
    .set((expression) => ({
      ...recordOf(storedTextNames.map((name) => [columnOf(name), change[name]])),
      ...recordOf(switchNames.map((name) => [columnOf(name), change[name] ? (1 as const) : (0 as const)])),
      links: JSON.stringify(change.links),
      version: expression("version", "+", 1),
      updated_at: now,
    }))
    .where("owner_id", "=", ownerId)
    .execute();
  await writeHandle(trx, { ownerId, handle: change.handle, handles, now });
  await events.record(trx, { kind: "profile.saved", ownerId });
  return { kind: "saved" };
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

const storedLinkSchema = z.object({
  id: z.string(),
  label: z.string(),
  url: z.string(),
  on: z.boolean(),
  from: z.number().nullable(),
  until: z.number().nullable(),
  tab: z.enum(["professional", "personal"]).nullable(),
  kind: z.enum(linkKinds),
  picture: z.string().optional(),
  alt: z.string().optional(),
  ...mapFields(namesOf(optionalLinkTexts), () => z.string().optional()),
});

function toProfile(row: Selectable<Schema["profile"]> & { handle: string | null }): Profile {
  return {
    ownerId: row.owner_id,
    ...mapFields(storedTextNames, (name) => row[columnOf(name)]),
    ...mapFields(switchNames, (name) => row[columnOf(name)] === 1),
    links: z.array(storedLinkSchema).parse(JSON.parse(row.links)),
    contactCardId: row.contact_card_id,
    handle: row.handle ?? "",
    version: row.version,
    isSample: row.is_sample === 1,
    avatarKey: row.avatar_key_prefix,
    bannerKey: row.banner_key_prefix,
    resumeFilename: row.resume_filename,
    pagesVersion: row.pages_version,
  };
}

const switchNames = namesOf(switchLabels);
const storedTextNames = [...namesOf(typedTexts), "theme"] as const;

/** The column of a field: "displayName" -> "display_name". */
function columnOf<Name extends string>(name: Name): Column<Name> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The type says the same.
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Column<Name>;
}

type Column<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Column<Rest>}`
  : "";
