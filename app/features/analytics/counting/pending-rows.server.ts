import { LRUCache } from "lru-cache";

import type { HourlyCount } from "#app/features/analytics/data.server.ts";
import type { CountEvent } from "#app/services/http/context.ts";

import type { VisitOrigin } from "./visit-rules.ts";

const msPerHour = 3_600_000;
/** Anyone can send made-up referrers and campaigns: more than these are counted without them. */
const maxValues = { perOwnerAndDay: 200, owners: 10_000 };
/** Beyond this many different rows of an owner in an hour, counts are added up without the details, most of which anyone can make up. */
const maxRows = { perOwnerAndHour: 2_000, owners: 2_000 };
/** Beyond this many rows in memory, as while the database fails, counts are added up without the details. */
const maxPending = 20_000;

type PendingEvent = { event: CountEvent; origin: VisitOrigin; now: number; isFirst: boolean };

/** What a row counts. */
type CountKey = Omit<HourlyCount, "n" | "firsts">;

/** Adds up counts that aren't in the database yet. The number of rows is limited, whatever visitors send; no count is left out. */
export function createPendingRows() {
  let rows = new Map<string, HourlyCount>();
  /** The row of each page that was counted in last. */
  const latest = new Map<string, HourlyCount>();
  const limitValues = createValueLimit();
  const limitRows = createRowLimit();

  function add({ event, origin, now, isFirst }: PendingEvent) {
    const key = countKey(event, limitValues(event.ownerId, origin, now), now);
    const before = latest.get(key.subject);
    // Comparing takes a fifth of the time of making a text to look the row up by.
    const row = before && isSameKey(before, key) ? before : findRow(key);
    if (row !== before) latest.set(key.subject, row);
    row.n += 1;
    if (isFirst) row.firsts += 1;
  }

  /** A row that is here has passed the limits. */
  function findRow(key: CountKey): HourlyCount {
    const known = rows.get(textOf(key));
    if (known) return known;
    const limited = rows.size < maxPending ? limitRows(key) : withoutDetails(key);
    const text = textOf(limited);
    const row = rows.get(text) ?? { ...limited, n: 0, firsts: 0 };
    rows.set(text, row);
    return row;
  }

  /** Removes and returns all rows. */
  function take(): HourlyCount[] {
    const taken = [...rows.values()];
    rows = new Map();
    latest.clear();
    return taken;
  }

  return { add, take };
}

function countKey({ ownerId, subject, kind, target, source }: CountEvent, origin: VisitOrigin, now: number): CountKey {
  const { device, country, referrer, campaign } = origin;
  return {
    ownerId,
    hour: Math.floor(now / msPerHour),
    subject,
    kind,
    target,
    source: source || origin.source,
    device,
    country,
    referrer,
    campaign,
  };
}

function textOf({ subject, kind, target, hour, source, device, country, referrer, campaign }: CountKey): string {
  return `${hour}|${subject}|${kind}|${source}|${target}|${device}|${country}|${referrer}|${campaign}`;
}

function isSameKey(row: HourlyCount, key: CountKey): boolean {
  return (
    row.hour === key.hour &&
    row.kind === key.kind &&
    row.target === key.target &&
    row.source === key.source &&
    row.device === key.device &&
    row.country === key.country &&
    row.referrer === key.referrer &&
    row.campaign === key.campaign
  );
}

function withoutDetails(key: CountKey): CountKey {
  return { ...key, device: "", country: "", referrer: "", campaign: "" };
}

/** Leaves out referrers and campaigns once an owner has had many different ones on a day. */
function createValueLimit() {
  const known = new LRUCache<string, Set<string>>({ max: maxValues.owners });
  let day = -1;
  return (ownerId: string, origin: VisitOrigin, now: number): VisitOrigin => {
    if (origin.referrer === "" && origin.campaign === "") return origin;
    const today = Math.floor(now / (24 * msPerHour));
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

/** Leaves out the details once an owner has had many different rows in an hour. */
function createRowLimit() {
  const known = new LRUCache<string, Set<number>>({ max: maxRows.owners });
  let hour = -1;
  return (key: CountKey): CountKey => {
    if (key.hour !== hour) known.clear();
    hour = key.hour;
    const rows = known.get(key.ownerId) ?? new Set();
    known.set(key.ownerId, rows);
    const row = hashText(textOf(key));
    if (rows.size >= maxRows.perOwnerAndHour && !rows.has(row)) return withoutDetails(key);
    rows.add(row);
    return key;
  };
}

/** FNV-1a, in 30 bits, which a set stores without an object: two million hashes take a tenth of what the texts would. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash & 0x3fffffff;
}
