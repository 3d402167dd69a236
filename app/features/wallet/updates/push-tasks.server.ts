import type { ApplePush } from "#app/services/http/apple-push/apple-push.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { listWaitingDevices, removeToken, saveNotified } from "./update-data.server.ts";
import type { WaitingDevice, WaitingDevicesQuery } from "./update-data.server.ts";
import type { PushProblem } from "./update-rules.ts";

/** `accepted`: how many devices were notified. "unfinished": there are more, for another job. */
export type PushOutcome =
  | { accepted: number; kind: "done"; busy: Busy }
  | { accepted: number; kind: "unfinished" }
  | ({ accepted: number } & FailedPush);

/** How many devices Apple takes no more pushes for now. `retryAfterMs`: the longest that it requests. */
type Busy = { devices: number; retryAfterMs: number | undefined };

type FailedPush = { kind: "failed"; problem: PushProblem; retryAfterMs: number | undefined };

export type PushServices = Pick<Services, "db" | "clock" | "log"> & { applePush: ApplePush };

/** At the same time, over one connection; Apple allows about 1,000. */
const pageSize = 500;
/** The job's lease is two minutes. */
const budgetMs = 60_000;

/**
 * Notifies each device once that one of its passes has changed. What is done is stored after each page, so after a crash at most one page
 * is notified twice, which a device doesn't notice. Stops at the first sign that Apple takes no more from this site.
 */
export async function pushToDevices(
  services: PushServices,
  which: Pick<WaitingDevicesQuery, "cardIds" | "changedUntil">,
): Promise<PushOutcome> {
  const { db } = services;
  const end = performance.now() + budgetMs;
  let accepted = 0;
  let after = "";
  const busy: Busy = { devices: 0, retryAfterMs: undefined };
  while (performance.now() < end) {
    const page = wholeDevices(await listWaitingDevices(db, { ...which, after, limit: pageSize }));
    const last = page.at(-1);
    if (!last) return { kind: "done", accepted, busy };
    const result = await pushPage(services, page);
    accepted += result.accepted;
    busy.devices += result.busy.devices;
    busy.retryAfterMs = longest(busy.retryAfterMs, result.busy.retryAfterMs);
    if (result.stop) return { ...result.stop, accepted };
    after = last.pushToken;
  }
  return { kind: "unfinished", accepted };
}

/** The last device of a full page may have more passes than the page shows, so it waits for the next page. */
function wholeDevices(page: WaitingDevice[]): WaitingDevice[] {
  const last = page.at(-1)?.pushToken;
  const others = page.filter(({ pushToken }) => pushToken !== last);
  return page.length < pageSize || others.length === 0 ? page : others;
}

function longest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

type PageResult = {
  accepted: number;
  busy: Busy;
  stop: FailedPush | undefined;
};

async function pushPage({ db, clock, log, applePush }: PushServices, page: WaitingDevice[]): Promise<PageResult> {
  const startedAt = clock();
  const byToken = Map.groupBy(page, ({ pushToken }) => pushToken);
  const sent = await Promise.all(
    [...byToken].map(async ([pushToken, devices]) => ({ pushToken, devices, result: await applePush.send(pushToken) })),
  );
  const acceptedOnes = sent.filter(({ result }) => result.kind === "accepted");
  await saveNotified(
    db,
    acceptedOnes.flatMap(({ devices }) => devices),
  );
  const busy: Busy = { devices: 0, retryAfterMs: undefined };
  const found: PageResult = { accepted: acceptedOnes.length, busy, stop: undefined };
  for (const { pushToken, result } of sent) {
    if (result.kind === "gone")
      await removeToken(db, { pushToken, before: Math.min(result.since ?? startedAt, startedAt) });
    if (result.kind === "too-many") {
      busy.devices++;
      busy.retryAfterMs = longest(busy.retryAfterMs, result.retryAfterMs);
    }
    if (result.kind === "skipped")
      log.warn({ reason: result.reason }, "the Apple push service did not accept one device");
    if (result.kind !== "unavailable" && result.kind !== "refused") continue;
    if (!found.stop) log.warn({ reason: result.reason }, "the Apple push service did not accept an update of a pass");
    const retryAfterMs = result.kind === "unavailable" ? result.retryAfterMs : undefined;
    found.stop ??= { kind: "failed", problem: result.kind, retryAfterMs };
  }
  return found;
}
