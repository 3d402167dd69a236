import { storageQuota } from "#app/features/uploads/rules.ts";
import type { Trx } from "#app/services/database/database.server.ts";

export type StorageUsage = { bytes: number; files: number };

/** Locks the owner's usage row until the transaction ends, so that it sees everything earlier writers of this owner's files wrote. */
export async function lockQuota(trx: Trx, ownerId: string): Promise<void> {
  while (!(await releaseQuota(trx, ownerId, { bytes: 0, files: 0 }))) {
    await trx
      .insertInto("storage")
      .values({ owner_id: ownerId })
      .onConflict((conflict) => conflict.column("owner_id").doNothing())
      .execute();
  }
}

/** Adds to the owner's usage in one guarded statement, or returns the current usage when that would exceed the quota. Call `lockQuota` first. */
export async function takeQuota(
  trx: Trx,
  ownerId: string,
  { bytes, files }: StorageUsage,
): Promise<"taken" | { used: StorageUsage }> {
  const { numUpdatedRows } = await trx
    .updateTable("storage")
    .set((row) => ({ bytes: row("bytes", "+", bytes), files: row("files", "+", files) }))
    .where("owner_id", "=", ownerId)
    .where("bytes", "<=", storageQuota.bytes - bytes)
    .where("files", "<=", storageQuota.files - files)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return "taken";
  const used = await trx
    .selectFrom("storage")
    .select(["bytes", "files"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return { used };
}

/** Subtracts from the owner's usage. False when the owner has no usage row. */
export async function releaseQuota(trx: Trx, ownerId: string, { bytes, files }: StorageUsage): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("storage")
    .set((row) => ({ bytes: row("bytes", "-", bytes), files: row("files", "-", files) }))
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the usage row of an owner without files. */
export async function deleteEmptyQuota(trx: Trx, ownerId: string): Promise<void> {
  await trx
    .deleteFrom("storage")
    .where("owner_id", "=", ownerId)
    .where("bytes", "=", 0)
    .where("files", "=", 0)
    .execute();
}
