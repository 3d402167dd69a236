import type { Selectable } from "kysely";
import { z } from "zod";

import type { Db, Trx } from "#app/services/database.server.ts";
import type { AssetTable } from "#app/services/schema.ts";

import type { Weight } from "./room.server.ts";
import { readSlot } from "./rules.ts";
import type { Slot } from "./rules.ts";

/** What was uploaded once. `files` are whole paths in the store. */
export type Asset = {
  id: string;
  ownerId: string;
  slot: Slot;
  stem: string;
  files: StoredFile[];
  filename: string;
  isReady: boolean;
  createdAt: number;
};

export type StoredFile = { path: string; type: string; bytes: number };

export function weightOf(files: readonly Pick<StoredFile, "bytes">[]): Weight {
  return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files: files.length };
}

/** What is shown in a slot, and uploads into it that are under way or were cut off; newest first. */
export async function listAssets(db: Db | Trx, { ownerId, slot }: { ownerId: string; slot: Slot }): Promise<Asset[]> {
  const rows = await db
    .selectFrom("asset")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("slot", "=", slot)
    .orderBy("created_at", "desc")
    .orderBy("stem", "desc")
    .execute();
  return rows.map(toAsset);
}

/** All that these owners uploaded, ready or not. */
export async function listAssetsOf(db: Db | Trx, ownerIds: string[]): Promise<Asset[]> {
  if (ownerIds.length === 0) return [];
  const rows = await db.selectFrom("asset").selectAll().where("owner_id", "in", ownerIds).execute();
  return rows.map(toAsset);
}

/** Uploads that began before then and never became ready, oldest first. */
export async function listUnready(db: Db, before: number): Promise<Asset[]> {
  const rows = await db
    .selectFrom("asset")
    .selectAll()
    .where("is_ready", "=", 0)
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
      stem: asset.stem,
      files: JSON.stringify(asset.files),
      bytes: weightOf(asset.files).bytes,
      filename: asset.filename,
      is_ready: asset.isReady ? 1 : 0,
      created_at: asset.createdAt,
    })
    .execute();
}

/** False: there is no such row any more. */
export async function markReady(trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("asset")
    .set({ is_ready: 1 })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False: somebody else deleted it. */
export async function deleteAsset(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("asset").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

const storedFiles = z.array(z.object({ path: z.string(), type: z.string(), bytes: z.number() }));

function toAsset(row: Selectable<AssetTable>): Asset {
  const slot = readSlot(row.slot);
  if (!slot) throw new Error(`The upload ${row.id} is for ${row.slot}, which nothing shows.`);
  return {
    id: row.id,
    ownerId: row.owner_id,
    slot,
    stem: row.stem,
    files: storedFiles.parse(JSON.parse(row.files)),
    filename: row.filename,
    isReady: row.is_ready === 1,
    createdAt: row.created_at,
  };
}
