import type { Services } from "#app/services/context.ts";
import { transact } from "#app/services/database.server.ts";
import type { Trx } from "#app/services/database.server.ts";

import { deleteAsset, listAssets, markReady, weightOf } from "./asset-rows.server.ts";
import type { Asset } from "./asset-rows.server.ts";
import type { MadeFile } from "./make-files.server.ts";
import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { enqueueRemoval } from "./remove-files.server.ts";
import { forgetEmptyRoom, giveRoomBack, lockRoom } from "./room.server.ts";
import { cardOf } from "./rules.ts";
import { hasProfile, setShown } from "./shown.server.ts";

type Needed = Pick<Services, "db" | "files" | "jobs" | "clock" | "log">;

type Begun = { asset: Asset; bodies: readonly MadeFile[]; avatarOptions: string | null };

type Settled = { kind: "stored"; stem: string; filename: string } | Refusal;

/**
 * The second and the third step of an upload: its files are written, then one transaction shows it, forgets what was shown before and
 * notes that its files are to be deleted. Whatever ends it in between leaves a row that is not ready, which the sweep finds.
 */
export async function settle(services: Needed, begun: Begun): Promise<Settled> {
  const { db, files, log } = services;
  const { asset, bodies } = begun;
  try {
    for (const [index, { path, type }] of asset.files.entries()) {
      const body = bodies[index]?.body;
      if (body) await files.put(path, body, type);
    }
    const settled = await transact(db, (trx) => settleIn(trx, services, begun));
    if (settled.kind === "refused") await takeBack(services, asset);
    return settled;
  } catch (error) {
    await takeBack(services, asset).catch((failure: unknown) =>
      log.warn({ err: failure }, "an upload that failed could not be taken back now; the sweep will"),
    );
    throw error;
  }
}

async function settleIn(trx: Trx, { jobs, clock }: Needed, { asset, avatarOptions }: Begun): Promise<Settled> {
  const { id, ownerId, slot, stem, filename } = asset;
  await lockRoom(trx, ownerId);
  const all = await listAssets(trx, { ownerId, slot });
  const shown = { stem, filename, avatarOptions };
  // Its card or its account was deleted, or it took so long that it passed for dead.
  const isThere = all.some((one) => one.id === id);
  if (!isThere || !(await setShown(trx, { ownerId, slot, shown, now: clock() }))) {
    await forgetEmptyRoom(trx, ownerId);
    if (!(await hasProfile(trx, ownerId))) return refuse(401, messages.signedOut);
    return cardOf(slot) === undefined ? refuse(409, messages.underWay) : refuse(404, messages.missingCard);
  }
  for (const old of all.filter(({ isReady }) => isReady)) {
    await deleteAsset(trx, old.id);
    await giveRoomBack(trx, ownerId, weightOf(old.files));
    const stays = asset.files.map(({ path }) => path);
    const paths = old.files.map(({ path }) => path).filter((path) => !stays.includes(path));
    await enqueueRemoval(trx, jobs, { ownerId, paths });
  }
  await markReady(trx, id);
  return { kind: "stored", stem, filename };
}

/** Forgets an upload that did not become ready, and has its files deleted. */
export async function takeBack({ db, jobs }: Pick<Services, "db" | "jobs">, { id, ownerId, slot, files }: Asset) {
  await transact(db, async (trx) => {
    await lockRoom(trx, ownerId);
    const now = (await listAssets(trx, { ownerId, slot })).find((one) => one.id === id);
    // It became ready after all: the answer to that transaction was lost on its way.
    if (now?.isReady) return;
    if (now && (await deleteAsset(trx, id))) await giveRoomBack(trx, ownerId, weightOf(files));
    await enqueueRemoval(trx, jobs, { ownerId, paths: files.map(({ path }) => path) });
    await forgetEmptyRoom(trx, ownerId);
  });
}
