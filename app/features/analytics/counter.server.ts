import type { Logger } from "pino";

import type { Db, Engine } from "#app/services/database/database.server.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import type { CountEvent, Counter, PublicPageOptions } from "#app/services/http/context.ts";

import { addToTallies } from "./data.server.ts";
import { isFromPerson } from "./rules.ts";

/** Leaves half a second for the write: a counted visit is in the database within one second. */
const flushIntervalMs = 400;

/**
 * Counts in memory, which costs a request almost nothing, and writes the collected counts in one transaction. While the database fails,
 * counts stay in memory; they are lost if the process ends before a write succeeds. `stop` tries once more.
 */
export function createCounter({
  db,
  engine,
  log,
  clock,
}: {
  db: Db;
  engine: Engine;
  log: Logger;
  clock: () => number;
}): Counter & { stop(): Promise<void> } {
  let pending = new Map<string, CountEvent & { n: number }>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function add(event: CountEvent, n: number) {
    const key = `${event.subject}|${event.kind}|${event.source}|${event.target}`;
    const entry = pending.get(key);
    if (entry) entry.n += n;
    else pending.set(key, { ...event, n });
    timer ??= setTimeout(() => void flush(), flushIntervalMs).unref();
  }

  async function write() {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await addToTallies({ db, engine }, [...batch.values()], clock());
    } catch (error) {
      log.error({ err: error }, "could not write the counts; will retry");
      for (const event of batch.values()) add(event, event.n);
    }
  }

  /** One write at a time, so that a second one doesn't wait inside the database. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    count: (event) => add(event, 1),
    flush,
    stop: async () => {
      await flush();
      clearTimeout(timer);
    },
  };
}

type PageVisit = {
  method: string;
  search: string;
  headers: Record<string, string | string[] | undefined>;
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
  { subject, ownerId }: Pick<PublicPageOptions, "subject" | "ownerId">,
  { method, search, headers, viewerId }: PageVisit,
) {
  if (subject === undefined || method !== "GET" || ownerId === viewerId || !isFromPerson(headers)) return;
  counter.count({ subject, kind: "visit", source: sourceOf(search), target: "" });
}
