import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { Services } from "#app/services/context.ts";
import { transact } from "#app/services/database.server.ts";
import type { Trx } from "#app/services/database.server.ts";

import { deleteAsset, insertAsset, listAssets, weightOf } from "./asset-rows.server.ts";
import type { Asset } from "./asset-rows.server.ts";
import { messages, noRoom } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { forgetEmptyRoom, giveRoomBack, lockRoom, takeRoom } from "./room.server.ts";
import { hasFixedPlace, nextTime, placeOf, room } from "./rules.ts";
import type { Slot } from "./rules.ts";
import { hasProfile } from "./shown.server.ts";

/** `end` comes behind the stem: "_192.webp". None: the place alone is kept for a moment, so that nobody else writes there. */
type Wanted = {
  ownerId: string;
  slot: Slot;
  files: readonly { end: string; type: string; bytes: number }[];
  filename: string;
};

type Reserved = { kind: "reserved"; asset: Asset } | Refusal;

/**
 * The first step of an upload: room is taken and a row says what will lie where, before anything does. Where files have a fixed place
 * one upload at a time gets it; others wait for a while. An owner without a profile gets none: their account was deleted meanwhile.
 */
export async function reserve(
  { db, clock }: Pick<Services, "db" | "clock">,
  wanted: Wanted,
  patience = PATIENCE,
): Promise<Reserved> {
  const end = performance.now() + patience;
  for (;;) {
    const reserved = await transact(db, (trx) => reserveIn(trx, wanted, clock()));
    if (reserved !== "taken") return reserved;
    if (performance.now() > end) return refuse(409, messages.underWay);
    await pause(POLL * (0.5 + Math.random()));
  }
}

async function reserveIn(
  trx: Trx,
  { ownerId, slot, files, filename }: Wanted,
  now: number,
): Promise<Reserved | "taken"> {
  await lockRoom(trx, ownerId);
  // Where a place alone is kept, what a person left may just be on its way out.
  if (files.length > 0 && !(await hasProfile(trx, ownerId))) {
    await forgetEmptyRoom(trx, ownerId);
    return refuse(401, messages.signedOut);
  }
  const others = await listAssets(trx, { ownerId, slot });
  if (hasFixedPlace(slot)) {
    const begun = others.filter(({ isReady }) => !isReady);
    if (begun.some(({ createdAt }) => createdAt > now - HELD_FOR)) return "taken";
    for (const cutOff of begun) {
      await deleteAsset(trx, cutOff.id);
      await giveRoomBack(trx, ownerId, weightOf(cutOff.files));
    }
  }
  const taken = files.length === 0 ? "taken" : await takeRoom(trx, ownerId, weightOf(files));
  if (taken !== "taken") return refuse(507, noRoom(taken.used, room));
  const { area, stem } = placeOf(slot, ownerId, newTime(others[0]?.stem, now));
  const asset: Asset = {
    id: randomUUID(),
    ownerId,
    slot,
    stem,
    files: files.map(({ end, type, bytes }) => ({ path: stem + end, type, bytes })),
    filename,
    isReady: false,
    createdAt: now,
  };
  await insertAsset(trx, { ...asset, area });
  return { kind: "reserved", asset };
}

/** Never one that this process gave before: of uploads that overlap, one that began earlier may be the last to be shown. */
function newTime(stemBefore: string | undefined, now: number): number {
  lastTime = Math.max(nextTime(stemBefore, now), lastTime + 1);
  return lastTime;
}

let lastTime = 0;

const PATIENCE = 20_000;
const POLL = 100;
/** Longer than a store takes to write a file with all its tries; whoever is not done by then was killed. */
const HELD_FOR = 3 * 60_000;
