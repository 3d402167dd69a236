import { sql } from "kysely";

import type { OpenDatabase } from "#app/services/database/database.server.ts";

import { maxClockDifferenceMs } from "./jobs.server.ts";

/** How this machine's clock compares with the database server's. Processes that share a database share leases, and so need the same time. */
export type ClockCheck = {
  /** Compares the clocks. SQLite has no clock of its own. */
  measure: () => Promise<void>;
  /** By how many milliseconds this clock is ahead; 0 while the difference is of no importance. */
  ahead: () => number;
  /** What is wrong, for the log; undefined while leases work. */
  problem: () => string | undefined;
};

export function createClockCheck({ db, engine }: Pick<OpenDatabase, "db" | "engine">): ClockCheck {
  let ahead = 0;

  async function measure() {
    if (engine === "sqlite") return;
    const [sentAt, started] = [Date.now(), performance.now()];
    const query = sql<{ now: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`;
    const { rows } = await query.execute(db);
    const readAt = sentAt + (performance.now() - started) / 2;
    const difference = Math.round(readAt - (rows[0]?.now ?? readAt));
    ahead = Math.abs(difference) < unimportantMs ? 0 : difference;
  }

  function problem() {
    if (Math.abs(ahead) <= maxClockDifferenceMs) return undefined;
    const seconds = Math.round(Math.abs(ahead) / 1000);
    return (
      `This machine's clock is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} the database server's. This process runs no ` +
      "background jobs, such as mails, and sends no webhooks until both are right: synchronize them with a time server (NTP)."
    );
  }

  return { measure, ahead: () => ahead, problem };
}

const unimportantMs = 1000;
