import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Selectable } from "kysely";
import { z } from "zod";

import { readSlot } from "#app/features/uploads/rules.ts";
import type { Refusal, Slot } from "#app/features/uploads/rules.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { AssetTable } from "#app/services/database/schema.ts";
import type { DisplayedFile } from "#app/services/features/displayed-file.ts";
import type { Services } from "#app/services/http/context.ts";
import type { FileBody } from "#app/services/storage/file-store.ts";

import type { StorageUsage } from "./quota.server.ts";

/** One upload and the files stored for it. */
export type Asset = {
  id: string;
  ownerId: string;
  slot: Slot;
  keyPrefix: string;
  files: StoredFile[];
  filename: string;
  /** The name in the path under which an app stored it; empty for other uploads. */
  pathName: string;
  isReady: boolean;
  createdAt: number;
};

/** `path` is the whole path in the store. `isPassive` is set for PDFs only: see `isPassivePdf`; undefined until it is checked. */
export type StoredFile = { path: string; type: string; bytes: number; isPassive?: boolean | undefined };

/** A file that is ready to be stored; `suffix` follows the storage key prefix ("_192.webp"). */
export type PreparedFile = Omit<StoredFile, "path"> & { suffix: string; body: FileBody };

export type PreparedFiles = { kind: "prepared"; files: PreparedFile[]; filename: string } | Refusal;

export function usageOf(files: readonly Pick<StoredFile, "bytes">[]): StorageUsage {
  return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files: files.length };
}

/** A number that changes with each upload: 48 random bits of the row's id. */
export function versionOf({ id }: Pick<Asset, "id">): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/** Whether a slot displays another upload than the one with this version. Without a version, none is expected. */
export function isStale(assets: readonly Asset[], version: number | undefined): boolean {
  const displayed = assets.find(({ isReady }) => isReady);
  return version !== undefined && (!displayed || versionOf(displayed) !== version);
}

/** The displayed upload of a slot, and those that are running or were interrupted; newest first. */
export async function listAssets(db: Db | Trx, { ownerId, slot }: { ownerId: string; slot: Slot }): Promise<Asset[]> {
  const rows = await db
    .selectFrom("asset")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("slot", "=", slot)
    .orderBy("created_at", "desc")
    .orderBy("key_prefix", "desc")
    .execute();
  return rows.map(toAsset);
}

/** All uploads of these owners, ready or not. */
export async function listAssetsOfOwners(db: Db | Trx, ownerIds: string[]): Promise<Asset[]> {
  if (ownerIds.length === 0) return [];
  const rows = await db.selectFrom("asset").selectAll().where("owner_id", "in", ownerIds).execute();
  return rows.map(toAsset);
}

/** Images older than `before` that no link of their owner's saved profile names; of one owner, or of all. */
export async function listUnusedLinkImages(
  db: Db | Trx,
  { ownerId, isInRange, before }: { ownerId?: string; isInRange?: RawBuilder<boolean>; before: number },
): Promise<Asset[]> {
  let query = db
    .selectFrom("asset")
    .innerJoin("profile", "profile.owner_id", "asset.owner_id")
    .selectAll("asset")
    .where("asset.slot", "like", "picture:%")
    .where("asset.is_ready", "=", 1)
    .where("asset.created_at", "<", before)
    .where("profile.links", "not like", sql<string>`'%' || asset.key_prefix || '%'`);
  if (ownerId !== undefined) query = query.where("asset.owner_id", "=", ownerId);
  if (isInRange) query = query.where(isInRange);
  return (await query.limit(500).execute()).map(toAsset);
}

/** Uploads that started before `before` and never became ready, oldest first. */
export async function listUnfinishedAssets(db: Db, before: number): Promise<Asset[]> {
  const rows = await db
    .selectFrom("asset")
    .selectAll()
    // Not a parameter: only then does SQLite use the index of these rows.
    .where("is_ready", "=", sql.lit(0))
    .where("created_at", "<", before)
    .orderBy("created_at")
    .limit(500)
    .execute();
  return rows.map(toAsset);
}

export async function insertAsset(trx: Trx, asset: Asset & { area: string }): Promise<void> {
  await trx
    .insertInto("asset")
    .values({
      id: asset.id,
      owner_id: asset.ownerId,
      area: asset.area,
      slot: asset.slot,
      key_prefix: asset.keyPrefix,
      files: JSON.stringify(asset.files),
      bytes: usageOf(asset.files).bytes,
      filename: asset.filename,
      path_name: asset.pathName,
      is_ready: asset.isReady ? 1 : 0,
      created_at: asset.createdAt,
    })
    .execute();
}

/** False when the row no longer exists. */
export async function markReady(trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("asset")
    .set({ is_ready: 1 })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False when the row no longer exists. */
export async function deleteAsset(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("asset").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Replaces the stored facts about an upload's files; the files themselves stay. */
export async function updateAssetFiles(db: Db | Trx, id: string, files: readonly StoredFile[]): Promise<void> {
  await db
    .updateTable("asset")
    .set({ files: JSON.stringify(files) })
    .where("id", "=", id)
    .execute();
}

/** Deletes an upload that is not ready. What it may have overwritten is inspected again before it is displayed. */
export async function deleteUnfinishedAsset(trx: Trx, { id, ownerId, slot, files }: Asset): Promise<boolean> {
  const paths = files.map(({ path }) => path);
  for (const other of await listAssets(trx, { ownerId, slot })) {
    if (other.id === id || !other.files.some(({ path }) => paths.includes(path))) continue;
    const uncertain = other.files.map(({ path, type, bytes }) => ({ path, type, bytes }));
    await updateAssetFiles(trx, other.id, uncertain);
  }
  return deleteAsset(trx, id);
}

const storedFiles = z.array(
  z.object({ path: z.string(), type: z.string(), bytes: z.number(), isPassive: z.boolean().optional() }),
);

function toAsset(row: Selectable<AssetTable>): Asset {
  const slot = readSlot(row.slot);
  if (!slot) throw new Error(`The upload ${row.id} is for ${row.slot}, which is not a slot.`);
  return {
    id: row.id,
    ownerId: row.owner_id,
    slot,
    keyPrefix: row.key_prefix,
    files: storedFiles.parse(JSON.parse(row.files)),
    filename: row.filename,
    pathName: row.path_name,
    isReady: row.is_ready === 1,
    createdAt: row.created_at,
  };
}

type DisplayChange = { ownerId: string; slot: Slot; displayed: DisplayedFile };

/** Displays a file, in the row of the feature that shows it. False when the owner has no profile or no such card. */
export async function setDisplayedFile(
  trx: Trx,
  { displays, clock }: Pick<Services, "displays" | "clock">,
  { ownerId, slot, displayed }: DisplayChange,
): Promise<boolean> {
  const [kind = "", id = ""] = slot.split(":");
  const display = displays[kind];
  // A link names its image itself, when the profile is saved, and the design of a pass its images.
  return display ? display(trx, { ownerId, id, displayed, now: clock() }) : hasProfile(trx, ownerId);
}

/** False after the owner deleted their account. */
export async function hasProfile(trx: Trx, ownerId: string): Promise<boolean> {
  const row = await trx.selectFrom("profile").select("owner_id").where("owner_id", "=", ownerId).executeTakeFirst();
  return row !== undefined;
}
