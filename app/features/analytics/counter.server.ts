import { randomUUID } from "node:crypto";

import { LRUCache } from "lru-cache";
import type { Logger } from "pino";

import type { Config } from "#app/services/config/config.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import type { CountEvent, CountedRequest, Counter, PublicPageOptions } from "#app/services/http/context.ts";

import { addCounts } from "./data.server.ts";
import type { AnnounceSaves, HourlyCount } from "./data.server.ts";
import { isFromPerson } from "./rules.ts";
import { noOrigin, readOrigin } from "./visit-rules.ts";
import type { VisitOrigin } from "./visit-rules.ts";
import { createVisitorCounter } from "./visitor-counter.server.ts";

/** Leaves half a second for the write: a counted visit is in the database within one second. */
const flushIntervalMs = 400;
const msPerHour = 3_600_000;
/** Anyone can send made-up referrers and campaigns: more than these are counted without them. */
const maxValues = { perOwnerAndDay: 200, owners: 10_000 };
/** Beyond this many different rows of an owner in an hour, counts are added up without the details, most of which anyone can make up. */
const maxRows = { perOwnerAndHour: 2_000, owners: 2_000 };
/** Beyond this many rows in memory, as while the database fails, counts are added up without the details. */
const maxPending = 20_000;

type Batch = { id: string; counts: Map<string, HourlyCount> };

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
  let pending = new Map<string, HourlyCount>();
  /** Of each page, the row of `pending` that was counted in last: the next visit often has the same. */
  const latestRows = new Map<string, HourlyCount>();
  let failed: Batch | undefined;
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const visitors = createVisitorCounter();
  const options = { host: new URL(config.baseUrl).host, countryHeader: config.countryHeader };
  const limitValues = createValueLimit(clock);
  const limitRows = createRowLimit();

  function add(event: CountEvent, origin: VisitOrigin, { now, isFirst }: { now: number; isFirst: boolean }) {
    const hour = Math.floor(now / msPerHour);
    const latest = latestRows.get(event.subject);
    // A row that is here has passed the limits. Comparing takes a fifth of the time of making a key.
    const row =
      latest && isCountedIn(latest, event, origin, hour)
        ? latest
        : (pending.get(keyOf(event, origin, hour)) ?? addRow(event, origin, hour));
    if (row !== latest) latestRows.set(event.subject, row);
    row.n += 1;
    if (isFirst) row.firsts += 1;
    timer ??= setTimeout(() => void flush(), flushIntervalMs).unref();
  }

  function addRow(event: CountEvent, origin: VisitOrigin, hour: number): HourlyCount {
    const limited = limitRows(event, origin, hour);
    const details = { ...(pending.size < maxPending ? limited : noOrigin), source: event.source || limited.source };
    const key = keyOf(event, details, hour);
    const { ownerId, subject, kind, target } = event;
    const row = pending.get(key) ?? { ownerId, hour, subject, kind, target, ...details, n: 0, firsts: 0 };
    pending.set(key, row);
    return row;
  }

  function count(event: CountEvent, request?: CountedRequest) {
    const now = clock();
    const { isFirst, visitor } = (event.kind === "visit" && recognize(event.ownerId, request, now)) || unknownVisitor;
    if (event.kind === "visit") onVisit?.(event.ownerId, visitor);
    const origin = request ? limitValues(event.ownerId, readOrigin(request, options)) : noOrigin;
    add(event, origin, { now, isFirst });
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
      const batch = failed ?? { id: randomUUID(), counts: pending };
      if (!failed) {
        pending = new Map();
        latestRows.clear();
      }
      if (batch.counts.size === 0) return;
      try {
        await addCounts({ db, engine }, { id: batch.id, counts: [...batch.counts.values()], onSaves }, clock());
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

const unknownVisitor = { isFirst: false, visitor: undefined };

function keyOf({ subject, kind, target, source }: CountEvent, origin: VisitOrigin, hour: number): string {
  const { device, country, referrer, campaign } = origin;
  return `${hour}|${subject}|${kind}|${source || origin.source}|${target}|${device}|${country}|${referrer}|${campaign}`;
}

function isCountedIn(
  row: HourlyCount,
  { kind, target, source }: CountEvent,
  origin: VisitOrigin,
  hour: number,
): boolean {
  return (
    row.hour === hour &&
    row.kind === kind &&
    row.target === target &&
    row.source === (source || origin.source) &&
    row.device === origin.device &&
    row.country === origin.country &&
    row.referrer === origin.referrer &&
    row.campaign === origin.campaign
  );
}

/** Leaves out referrers and campaigns once an owner has had many different ones on a day. */
function createValueLimit(clock: () => number) {
  const known = new LRUCache<string, Set<string>>({ max: maxValues.owners });
  let day = -1;
  return (ownerId: string, origin: VisitOrigin): VisitOrigin => {
    if (origin.referrer === "" && origin.campaign === "") return origin;
    const today = Math.floor(clock() / (24 * msPerHour));
    if (today !== day) known.clear();
    day = today;
    const values = known.get(ownerId) ?? new Set();
    known.set(ownerId, values);
    const value = `${origin.referrer}|${origin.campaign}`;
    if (values.size >= maxValues.perOwnerAndDay && !values.has(value)) return { ...origin, referrer: "", campaign: "" };
    values.add(value);
    return origin;
  };
}

/** Leaves out all details once an owner has had many different rows in an hour. */
function createRowLimit() {
  const known = new LRUCache<string, Set<number>>({ max: maxRows.owners });
  let current = -1;
  return (event: CountEvent, origin: VisitOrigin, hour: number): VisitOrigin => {
    if (origin === noOrigin) return origin;
    if (hour !== current) known.clear();
    current = hour;
    const { ownerId, subject, kind, target } = event;
    const rows = known.get(ownerId) ?? new Set();
    known.set(ownerId, rows);
    const row = hashText(`${subject}|${kind}|${target}|${event.source}|${Object.values(origin).join("|")}`);
    if (rows.size >= maxRows.perOwnerAndHour && !rows.has(row)) return noOrigin;
    rows.add(row);
    return origin;
  };
}

/** FNV-1a, in 30 bits, which a set stores without an object: two million hashes take a tenth of what the texts would. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & 0x3fffffff;
}

type PageVisit = CountedRequest & {
  method: string;
  /** The signed-in user's id. */
  viewerId?: string | undefined;
};

/**
 * Counts the visit of a public page, cached or rendered; called only for a page that was found (`server/public-pages/`). Not counted:
 * pages without a subject, methods other than GET, the signed-in owner, bots, requests without a `User-Agent`, and prefetched or
 * prerendered pages, even if they are shown later. A visit without a source mark counts, with the source "".
 */
export function countVisit(
  counter: Counter,
  { subject, ownerId, countsAs = "visit" }: Pick<PublicPageOptions, "subject" | "ownerId" | "countsAs">,
  visit: PageVisit,
) {
  if (subject === undefined || visit.method !== "GET" || ownerId === visit.viewerId || !isFromPerson(visit.headers))
    return;
  counter.count({ ownerId, subject, kind: countsAs, source: "", target: "" }, visit);
}
