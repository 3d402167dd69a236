import { transact } from "#app/services/database.server.ts";
import type { Db, Trx } from "#app/services/database.server.ts";
import type { Services } from "#app/services/context.ts";

import { deleteAsset, listAssets, listAssetsOf, weightOf } from "./asset-rows.server.ts";
import type { Asset } from "./asset-rows.server.ts";
import { inTurn } from "./decode-queue.server.ts";
import { makeFiles } from "./make-files.server.ts";
import type { Upload } from "./make-files.server.ts";
import type { Refusal } from "./refusal.ts";
import { enqueueRemoval } from "./remove-files.server.ts";
import { reserve } from "./reserve.server.ts";
import { forgetEmptyRoom, giveRoomBack, lockRoom } from "./room.server.ts";
import type { Slot } from "./rules.ts";
import { settle } from "./settle.server.ts";
import { setShown } from "./shown.server.ts";

/** `filename`: as the owner's machine calls it; only a resume's is kept. `avatarOptions`: JSON, what a drawn avatar was drawn from. */
export type StoreAsset = Upload & { ownerId: string; avatarOptions?: string };

export type StoreResult = { kind: "stored"; stem: string; filename: string } | Refusal;

type Needed = Pick<Services, "db" | "files" | "jobs" | "bus" | "clock" | "log">;

/**
 * Keeps an uploaded file and shows it, in place of what was shown there before; or says why not, and changes nothing. An owner
 * without a profile is told that they are signed out. Throws when the store or the database fails; what was begun is then taken back, now or by the sweep.
 */
export async function storeAsset(services: Needed, upload: StoreAsset): Promise<StoreResult> {
  const made = await inTurn(upload.ownerId, () => makeFiles(upload));
  if (made.kind === "refused") return made;
  const { ownerId, slot, avatarOptions = null } = upload;
  const reserved = await reserve(services, { ownerId, slot, files: made.files, filename: made.filename });
  if (reserved.kind === "refused") return reserved;
  const result = await settle(services, { asset: reserved.asset, bodies: made.files, avatarOptions });
  if (result.kind === "stored") services.bus.publish({ kind: "owner-changed", ownerId });
  return result;
}

/** Shows nothing there any more, and deletes the files. False when there is no such card of theirs; fine when there was nothing. */
export async function removeAsset(
  services: Needed,
  { ownerId, slot }: { ownerId: string; slot: Slot },
): Promise<boolean> {
  const { db, jobs, bus, clock } = services;
  const isRemoved = await transact(db, async (trx) => {
    await lockRoom(trx, ownerId);
    if (!(await setShown(trx, { ownerId, slot, shown: null, now: clock() }))) {
      await forgetEmptyRoom(trx, ownerId);
      return false;
    }
    const shown = (await listAssets(trx, { ownerId, slot })).filter(({ isReady }) => isReady);
    await forget(trx, jobs, shown);
    return true;
  });
  if (isRemoved) bus.publish({ kind: "owner-changed", ownerId });
  return isRemoved;
}

/** For whoever deletes a card, in the same transaction: its logo goes as well, also one that is just being uploaded. */
export async function removeAssetsOfCard(
  trx: Trx,
  jobs: Services["jobs"],
  { ownerId, cardId }: { ownerId: string; cardId: string },
): Promise<void> {
  await lockRoom(trx, ownerId);
  await forget(trx, jobs, await listAssets(trx, { ownerId, slot: `logo:${cardId}` }));
  await forgetEmptyRoom(trx, ownerId);
}

/** For whoever deletes an account, in the same transaction. */
export async function removeAssetsOfOwner(trx: Trx, jobs: Services["jobs"], ownerId: string): Promise<void> {
  await lockRoom(trx, ownerId);
  await forget(trx, jobs, await listAssetsOf(trx, [ownerId]));
  await trx.deleteFrom("storage").where("owner_id", "=", ownerId).execute();
}

export type Resume = { path: string; type: string; filename: string };

/** The resume that somebody shows: where it lies, what it is, and the name to save it under. */
export async function findResume(db: Db, ownerId: string): Promise<Resume | undefined> {
  const shown = (await listAssets(db, { ownerId, slot: "resume" })).find(({ isReady }) => isReady);
  const file = shown?.files[0];
  return shown && file && { path: file.path, type: file.type, filename: shown.filename };
}

async function forget(trx: Trx, jobs: Services["jobs"], assets: Asset[]): Promise<void> {
  for (const { id, ownerId, files } of assets) {
    if (!(await deleteAsset(trx, id))) continue;
    await giveRoomBack(trx, ownerId, weightOf(files));
    await enqueueRemoval(trx, jobs, { ownerId, paths: files.map(({ path }) => path) });
  }
}
