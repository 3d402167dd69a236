import type { Logger } from "pino";

import type { CountEvent, Counter } from "#app/services/context.ts";
import type { Db, Engine } from "#app/services/database.server.ts";

import { addToTallies } from "./data.server.ts";

/** A visit counted is in the database half a second later at most, well within the second that is promised. */
const FLUSH_EVERY_MS = 400;

/**
 * Counts in memory, so that counting costs a request next to nothing, and writes what came together in one transaction.
 * `stop` writes the rest.
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
  let waiting = new Map<string, CountEvent & { n: number }>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function add(event: CountEvent, n: number) {
    const key = `${event.subject}|${event.kind}|${event.source}|${event.target}`;
    const entry = waiting.get(key);
    if (entry) entry.n += n;
    else waiting.set(key, { ...event, n });
    timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS).unref();
  }

  async function write() {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = new Map();
    try {
      await addToTallies({ db, engine }, [...batch.values()], clock());
    } catch (error) {
      log.error({ err: error }, "counts could not be written; they are kept and tried again");
      for (const event of batch.values()) add(event, event.n);
    }
  }

  /** One write at a time, so that the second does not wait inside the database. */
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
