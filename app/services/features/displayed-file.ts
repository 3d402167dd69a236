import type { Trx } from "#app/services/database/database.server.ts";

/** What a slot of uploads displays from now on; null when it becomes empty. `avatarOptions`: JSON, of a drawn avatar. */
export type DisplayedFile = { keyPrefix: string; filename: string; avatarOptions: string | null } | null;

/**
 * Writes the displayed file to the row that names it, in the transaction of the upload. `id`: what follows the kind in the slot, such as a
 * card's id. The row's `version` stays unchanged, so an open editor can still be saved. False when the owner has no such row.
 */
export type DisplayFile = (
  trx: Trx,
  change: { ownerId: string; id: string; displayed: DisplayedFile; now: number },
) => Promise<boolean>;
