import type { Trx } from "#app/services/database.server.ts";

import { room } from "./rules.ts";

export type Weight = { bytes: number; files: number };

/**
 * Until the transaction ends, others that write about this owner's files wait here: what follows in it sees all of what they wrote.
 */
export async function lockRoom(trx: Trx, ownerId: string): Promise<void> {
  while (!(await giveRoomBack(trx, ownerId, { bytes: 0, files: 0 }))) {
    await trx
      .insertInto("storage")
      .values({ owner_id: ownerId })
      .onConflict((conflict) => conflict.column("owner_id").doNothing())
      .execute();
  }
}

/** Takes room for more files, or says what is used already. The limit is checked in the write itself. After `lockRoom`. */
export async function takeRoom(
  trx: Trx,
  ownerId: string,
  { bytes, files }: Weight,
): Promise<"taken" | { used: Weight }> {
  const { numUpdatedRows } = await trx
    .updateTable("storage")
    .set((row) => ({ bytes: row("bytes", "+", bytes), files: row("files", "+", files) }))
    .where("owner_id", "=", ownerId)
    .where("bytes", "<=", room.bytes - bytes)
    .where("files", "<=", room.files - files)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return "taken";
  const used = await trx
    .selectFrom("storage")
    .select(["bytes", "files"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return { used };
}

/** False: nothing is known of this owner's room. */
export async function giveRoomBack(trx: Trx, ownerId: string, { bytes, files }: Weight): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("storage")
    .set((row) => ({ bytes: row("bytes", "-", bytes), files: row("files", "-", files) }))
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** An owner without files leaves no trace. */
export async function forgetEmptyRoom(trx: Trx, ownerId: string): Promise<void> {
  await trx
    .deleteFrom("storage")
    .where("owner_id", "=", ownerId)
    .where("bytes", "=", 0)
    .where("files", "=", 0)
    .execute();
}
