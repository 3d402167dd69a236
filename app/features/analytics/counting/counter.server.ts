import { randomUUID } from "node:crypto";

import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { RouterContextProvider } from "react-router";

import { addCounts } from "#app/features/analytics/data.server.ts";
import type { AnnounceSaves, HourlyCount } from "#app/features/analytics/data.server.ts";
import { countLimit, isCounted } from "#app/features/analytics/rules.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import type { CountEvent, CountedRequest, Counter, PublicPageOptions } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";

import { createPendingRows } from "./pending-rows.server.ts";
import { noOrigin, readOrigin } from "./visit-rules.ts";
import { createVisitorCounter } from "./visitor-counter.server.ts";

/** Leaves half a second for the write: a counted visit is in the database within one second. */
const flushIntervalMs = 400;

type Batch = { id: string; counts: HourlyCount[] };

type CounterOptions = {
  db: Db;
  engine: Engine;
  log: Logger;
  clock: () => number;
  config: Pick<Config, "baseUrl" | "countryHeader">;
  /** Called with the owner of a visited page, and a number that tells visitors apart. */
  onVisit?: (ownerId: string, visitor?: number) => void;
  /** Runs in the transaction that stores a batch in which contacts were saved, with their counts. */
  onSaves?: AnnounceSaves;
};

/**
 * Counts in memory, which costs a request almost nothing, and writes the collected counts in one transaction. While the database fails,
 * counts stay in memory; they are lost if the process ends before a write succeeds. `stop` tries once more. A batch whose outcome is
 * unknown is written again with its ID, and counts once.
 */
export function createCounter({
  db,
  engine,
  log,
  clock,
  config,
  onVisit,
  onSaves,
}: CounterOptions): Counter & { stop(): Promise<void> } {
  const pending = createPendingRows();
  let failed: Batch | undefined;
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const visitors = createVisitorCounter();
  const isBeyondLimit = createNetworkLimit(log);
  const options = { host: new URL(config.baseUrl).host, countryHeader: config.countryHeader };

  function count(event: CountEvent, request?: CountedRequest) {
    const now = clock();
    if (isBeyondLimit(event, request?.address, now)) return;
    const { isFirst, visitor } = (event.kind === "visit" && recognize(event.ownerId, request, now)) || unknownVisitor;
    if (event.kind === "visit") onVisit?.(event.ownerId, visitor);
    const origin = request ? readOrigin(request, options) : noOrigin;
    pending.add({ event, origin, now, isFirst });
    timer ??= setTimeout(() => void flush(), flushIntervalMs).unref();
  }

  function recognize(ownerId: string, request: CountedRequest | undefined, now: number) {
    if (request?.address === undefined) return undefined;
    const userAgent = String(request.headers["user-agent"]);
    return visitors.noteVisit({ ownerId, address: request.address, userAgent }, now);
  }

  /** The batch that failed before goes first: it must be written as it was, or a part of it could count twice. */
  async function write() {
    clearTimeout(timer);
    timer = undefined;
    for (let tries = 0; tries < 2; tries++) {
      const batch = failed ?? { id: randomUUID(), counts: pending.take() };
      if (batch.counts.length === 0) return;
      try {
        await addCounts({ db, engine }, { ...batch, onSaves }, clock());
        failed = undefined;
      } catch (error) {
        failed = batch;
        log.error({ err: error }, "could not write the counts; will retry");
        timer ??= setTimeout(() => void flush(), flushIntervalMs).unref();
        return;
      }
    }
  }

  /** One write at a time, so that a second one doesn't wait inside the database. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    count,
    flush,
    stop: async () => {
      await flush();
      clearTimeout(timer);
    },
  };
}

/** Tells whether an event is more than one network may cause on a page within an hour. In memory: a row would cost more than a visit. */
function createNetworkLimit(log: Logger) {
  const counts = new LRUCache<string, { n: number }>({ max: 10_000 });
  return ({ subject, kind }: CountEvent, address: string | undefined, now: number): boolean => {
    if (address === undefined) return false;
    const key = `${Math.floor(now / 3_600_000)} ${networkOf(address)} ${kind} ${subject}`;
    const count = counts.get(key) ?? { n: 0 };
    if (count.n === 0) counts.set(key, count);
    count.n += 1;
    if (count.n === countLimit + 1) logSecurityEvent(log, { event: "limit-reached", limit: `${kind} counts` });
    return count.n > countLimit;
  };
}

const unknownVisitor = { isFirst: false, visitor: undefined };

type PageVisit = CountedRequest & {
  method: string;
  /** The signed-in user's id. */
  viewerId?: string | undefined;
};

/**
 * Counts the visit of a public page, cached or rendered; called only for a page that was found (`server/public-pages/`). Not counted:
 * pages without a subject, methods other than GET, the signed-in owner, bots, requests without a `User-Agent`, and prefetched or
 * prerendered pages, even if they are shown later; and what one network causes on a page beyond `countLimit` an hour. A visit without a source mark counts, with the source "".
 */
export function countVisit(
  counter: Counter,
  { subject, ownerId, countsAs = "visit" }: Pick<PublicPageOptions, "subject" | "ownerId" | "countsAs">,
  visit: PageVisit,
) {
  if (subject === undefined || !isCounted(visit, ownerId)) return;
  counter.count({ ownerId, subject, kind: countsAs, source: "", target: "" }, visit);
}

type LoaderRequest = { context: Readonly<RouterContextProvider>; request: Request; url: URL };
type CardEvent = { ownerId: string; cardId: string; kind: CountEvent["kind"]; source?: string };

/** Counts what the request of a loader does with a card, unless a program or the owner sent it. */
export function countCardEvent(
  { context, request, url }: LoaderRequest,
  { ownerId, cardId, kind, source = "" }: CardEvent,
): void {
  const headers = Object.fromEntries(request.headers);
  if (!isCounted({ method: request.method, headers, viewerId: viewer(context)?.id }, ownerId)) return;
  const { address } = context.get(requestContext);
  const event = { ownerId, subject: `card:${cardId}`, kind, source, target: "" };
  services(context).counter.count(event, { headers, search: url.search, address });
}
