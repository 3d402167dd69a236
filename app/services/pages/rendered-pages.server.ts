import type { Logger } from "pino";

import { withTimeout } from "#app/services/base/time-limit.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";

import { createPageReader, toPageRow, writeRenderedPages } from "./rendered-page-rows.server.ts";
import type { StoredPage } from "./rendered-page-rows.server.ts";
import { sweepRenderedPages } from "./sweep-rendered-pages.server.ts";

export type RenderedPages = {
  /** The page at a path if it is up to date; "unavailable" when the database can't be read, or doesn't answer within two seconds. */
  find: (path: string) => Promise<StoredPage | "unavailable" | undefined>;
  /** Stores a page with the next batch, half a second later at most, if it is up to date then. `read` is called at that time. */
  add: (path: string, read: () => Promise<StoredPage>) => void;
  flush: () => Promise<void>;
  /** Deletes what is out of date, and the oldest pages beyond the limit. */
  sweep: () => Promise<void>;
};

type RenderedPagesOptions = Pick<OpenDatabase, "db" | "engine"> & {
  log: Logger;
  clock: () => number;
  /** The program and the settings that render. Pages of another build are ignored. */
  buildId: string;
  /** The bound of the table. Each process may exceed it by a tenth until it deletes the oldest pages. */
  config: Pick<Config, "pageCacheMb">;
};

const flushIntervalMs = 500;
const readTimeoutMs = 2_000;
const failedReadPauseMs = 1_000;
/** Pages that wait for the next write, 10 MB or so. Further ones are dropped: they are rendered again. */
const maxPending = 400;

/**
 * Finished public pages in the table `rendered_page`, for all processes on the database and across restarts. They only save work: when the
 * database fails, that is logged once, and pages are rendered. `stop` writes what is left.
 */
export function createRenderedPages(options: RenderedPagesOptions): RenderedPages & { stop(): Promise<void> } {
  const { db, log, clock, buildId } = options;
  const maxBytes = options.config.pageCacheMb * 1_000_000;
  const read = createPageReader(db, buildId);
  const report = createReporter(log);
  let pending = new Map<string, () => Promise<StoredPage>>();
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let unsweptBytes = 0;
  let readAgainAt = 0;
  let isStopped = false;

  async function find(path: string) {
    if (performance.now() < readAgainAt) return "unavailable";
    try {
      const page = await withTimeout(readTimeoutMs, read(path));
      return page?.endsAt !== undefined && page.endsAt <= clock() ? undefined : page;
    } catch (error) {
      // While the database doesn't respond, a visitor must not wait for it twice.
      readAgainAt = performance.now() + failedReadPauseMs;
      report(error);
      return "unavailable";
    }
  }

  function add(path: string, readPage: () => Promise<StoredPage>) {
    if (pending.size >= maxPending) return;
    pending.set(path, readPage);
    timer ??= setTimeout(() => void flush(), flushIntervalMs).unref();
  }

  async function write() {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      const rows = [];
      for (const [path, readPage] of batch) rows.push(toPageRow(await readPage(), { path, buildId, now: clock() }));
      await writeRenderedPages(options, rows);
      report(undefined);
      unsweptBytes += rows.reduce((sum, { bytes }) => sum + bytes, 0);
      if (unsweptBytes > maxBytes / 10 && !isStopped) await sweep();
    } catch (error) {
      report(error);
    }
  }

  /** One write at a time, so that a second one doesn't wait inside the database. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function sweep() {
    unsweptBytes = 0;
    await sweepRenderedPages(options, { buildId, maxBytes });
  }

  function stop() {
    isStopped = true;
    return flush();
  }

  return { find, add, flush, sweep, stop };
}

/** Logs the first of consecutive failures, and that it works again. */
function createReporter(log: Logger) {
  let isFailing = false;
  return (error: unknown) => {
    if (error !== undefined && !isFailing)
      log.error({ err: error }, "rendered pages can't be stored or read: every request renders its page");
    if (error === undefined && isFailing) log.info("rendered pages can be stored again");
    isFailing = error !== undefined;
  };
}
