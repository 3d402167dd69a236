import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { serverMessages, quotaExceeded } from "#app/features/uploads/messages.ts";
import { hasFixedPath, nextTime, refuse, storageLocation, storageQuota } from "#app/features/uploads/rules.ts";
import type { Refusal, Slot } from "#app/features/uploads/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { deleteUnfinishedAsset, hasProfile, insertAsset, isStale, listAssets, usageOf } from "./asset-rows.server.ts";
import type { Asset, PreparedFile } from "./asset-rows.server.ts";
import { deleteEmptyQuota, lockQuota, releaseQuota, takeQuota } from "./quota.server.ts";

/** Without files, only the slot's fixed path is reserved for a moment, so that no upload writes to it. */
type ReserveRequest = {
  ownerId: string;
  slot: Slot;
  files: readonly Omit<PreparedFile, "body">[];
  filename: string;
  pathName?: string | undefined;
  version?: number | undefined;
};

type ReserveResult = { kind: "reserved"; asset: Asset } | Refusal;

/**
 * The first step of an upload: takes quota and inserts a row with the paths of its files, before any is written. A fixed path is reserved
 * for one upload at a time; others wait up to `timeoutMs`. Refused for an owner without a profile, whose account was just deleted.
 */
export async function reserveUpload(
  { db, clock }: Pick<Services, "db" | "clock">,
  request: ReserveRequest,
  timeoutMs = maxWaitMs,
): Promise<ReserveResult> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const reserved = await transact(db, (trx) => tryReserve(trx, request, clock()));
    if (reserved !== "taken") return reserved;
    if (performance.now() > end) return refuse(409, serverMessages.underWay);
    await pause(pollMs * (0.5 + Math.random()));
  }
}

async function tryReserve(
  trx: Trx,
  { ownerId, slot, files, filename, pathName = "", version }: ReserveRequest,
  now: number,
): Promise<ReserveResult | "taken"> {
  await lockQuota(trx, ownerId);
  // A reservation without files may be for deleting what a deleted account left.
  if (files.length > 0 && !(await hasProfile(trx, ownerId))) {
    await deleteEmptyQuota(trx, ownerId);
    return refuse(401, serverMessages.signedOut);
  }
  const others = await listAssets(trx, { ownerId, slot });
  if (hasFixedPath(slot)) {
    const unfinished = others.filter(({ isReady }) => !isReady);
    if (unfinished.some(({ createdAt }) => createdAt > now - reservationMs)) return "taken";
    for (const expired of unfinished) {
      await deleteUnfinishedAsset(trx, expired);
      await releaseQuota(trx, ownerId, usageOf(expired.files));
    }
  }
  // Before a file is written: a fixed path is overwritten.
  if (isStale(others, version)) return refuse(412, serverMessages.stale);
  const taken = files.length === 0 ? "taken" : await takeQuota(trx, ownerId, usageOf(files));
  if (taken !== "taken") return refuse(507, quotaExceeded(taken.used, storageQuota));
  const { area, keyPrefix } = storageLocation(slot, ownerId, newTime(others[0]?.keyPrefix, now));
  const asset: Asset = {
    id: randomUUID(),
    ownerId,
    slot,
    keyPrefix,
    files: files.map(({ suffix, type, bytes, isPassive }) => ({ path: keyPrefix + suffix, type, bytes, isPassive })),
    filename,
    pathName,
    isReady: false,
    createdAt: now,
  };
  await insertAsset(trx, { ...asset, area });
  return { kind: "reserved", asset };
}

/** Unique in this process: of two overlapping uploads, the one that started first may be committed last. */
function newTime(previousKeyPrefix: string | undefined, now: number): number {
  lastTime = Math.max(nextTime(previousKeyPrefix, now), lastTime + 1);
  return lastTime;
}

let lastTime = 0;

const maxWaitMs = 20_000;
const pollMs = 100;
/** Longer than a store takes to write a file with all retries: an older reservation belongs to a killed process. */
const reservationMs = 3 * 60_000;
