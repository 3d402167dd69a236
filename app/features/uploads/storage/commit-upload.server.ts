import { serverMessages } from "#app/features/uploads/messages.ts";
import { cardIdOf, refuse } from "#app/features/uploads/rules.ts";
import type { Refusal } from "#app/features/uploads/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import {
  deleteAsset,
  deleteUnfinishedAsset,
  hasProfile,
  isStale,
  listAssets,
  markReady,
  setDisplayedFile,
  usageOf,
} from "./asset-rows.server.ts";
import type { Asset, PreparedFile } from "./asset-rows.server.ts";
import { deleteEmptyQuota, lockQuota, releaseQuota } from "./quota.server.ts";
import { enqueueRemoval } from "./remove-files.server.ts";

type CommitDeps = Pick<Services, "db" | "files" | "jobs" | "events" | "displays" | "clock" | "log">;

type ReservedUpload = {
  asset: Asset;
  bodies: readonly PreparedFile[];
  avatarOptions: string | null;
  version: number | undefined;
};

type CommitResult = { kind: "stored"; keyPrefix: string; filename: string } | Refusal;

/**
 * The second step of an upload: writes its files, then displays it and deletes the previous upload in one transaction. If the process
 * dies in between, the row stays unready and the sweep reverts it.
 */
export async function commitUpload(services: CommitDeps, upload: ReservedUpload): Promise<CommitResult> {
  const { db, files, log } = services;
  const { asset, bodies } = upload;
  try {
    for (const [index, { path, type }] of asset.files.entries()) {
      const body = bodies[index]?.body;
      if (body) await files.put(path, body, type);
    }
    const result = await transact(db, (trx) => commitInTransaction(trx, services, upload));
    if (result.kind === "refused") await revertUpload(services, asset);
    return result;
  } catch (error) {
    await revertUpload(services, asset).catch((failure: unknown) =>
      log.warn({ err: failure }, "a failed upload could not be reverted; the sweep will revert it"),
    );
    throw error;
  }
}

async function commitInTransaction(
  trx: Trx,
  services: CommitDeps,
  { asset, avatarOptions, version }: ReservedUpload,
): Promise<CommitResult> {
  const { jobs, events } = services;
  const { id, ownerId, slot, keyPrefix, filename } = asset;
  await lockQuota(trx, ownerId);
  const all = await listAssets(trx, { ownerId, slot });
  if (isStale(all, version)) return refuse(412, serverMessages.stale);
  const displayed = { keyPrefix, filename, avatarOptions };
  // The row is gone when the card or account was deleted, or when the upload took so long that its reservation expired.
  const isReserved = all.some((one) => one.id === id);
  if (!isReserved || !(await setDisplayedFile(trx, services, { ownerId, slot, displayed }))) {
    await deleteEmptyQuota(trx, ownerId);
    if (!(await hasProfile(trx, ownerId))) return refuse(401, serverMessages.signedOut);
    return cardIdOf(slot) === undefined
      ? refuse(409, serverMessages.underWay)
      : refuse(404, serverMessages.missingCard);
  }
  for (const previous of all.filter(({ isReady }) => isReady)) {
    await deleteAsset(trx, previous.id);
    await releaseQuota(trx, ownerId, usageOf(previous.files));
    const newPaths = asset.files.map(({ path }) => path);
    const paths = previous.files.map(({ path }) => path).filter((path) => !newPaths.includes(path));
    await enqueueRemoval(trx, jobs, { ownerId, paths });
  }
  await markReady(trx, id);
  await events.record(trx, { kind: "file.saved", ownerId, slot });
  return { kind: "stored", keyPrefix, filename };
}

/** Deletes an upload that did not become ready, and its files. */
export async function revertUpload({ db, jobs }: Pick<Services, "db" | "jobs">, { id, ownerId, slot, files }: Asset) {
  await transact(db, async (trx) => {
    await lockQuota(trx, ownerId);
    const current = (await listAssets(trx, { ownerId, slot })).find((one) => one.id === id);
    // The commit succeeded, but its confirmation was lost on the way from the database.
    if (current?.isReady) return;
    if (current && (await deleteUnfinishedAsset(trx, current))) await releaseQuota(trx, ownerId, usageOf(files));
    await enqueueRemoval(trx, jobs, { ownerId, paths: files.map(({ path }) => path) });
    await deleteEmptyQuota(trx, ownerId);
  });
}
