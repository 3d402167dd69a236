import { setTimeout as pause } from "node:timers/promises";

import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase } from "#app/services/database/database.server.ts";

type Database = Pick<OpenDatabase, "db" | "engine">;

/** Rows that are read, and at most deleted, at once: on SQLite a statement blocks the process. */
const batchSize = 100;

/**
 * Deletes rows of other builds and rows that are out of date, then the oldest until the table has at most `maxBytes`. Safe in any number
 * of processes. Reads the index of the whole table, in small parts.
 */
export async function sweepRenderedPages(
  database: Database,
  { buildId, maxBytes }: { buildId: string; maxBytes: number },
): Promise<void> {
  let bytes = 0;
  let after: [ownerId: string, path: string] = ["", ""];
  for (;;) {
    const rows = await listRows(database.db, after);
    const last = rows.at(-1);
    if (!last) break;
    after = [last.owner_id, last.path];
    const isCurrent = (row: (typeof rows)[number]) => row.build_id === buildId && row.pages_version === row.current;
    await deleteRows(
      database,
      rows.filter((row) => !isCurrent(row)),
    );
    bytes += sum(rows.filter(isCurrent));
    await pause(0);
  }
  await deleteOldest(database, bytes - maxBytes);
}

/** The next rows in the order of the index, without their bodies; `current` is the owner's version, null without an account. */
function listRows(db: Db, after: readonly [ownerId: string, path: string]) {
  return db
    .selectFrom("rendered_page as page")
    .leftJoin("profile", "profile.owner_id", "page.owner_id")
    .select(["page.owner_id", "page.path", "page.build_id", "page.pages_version", "page.bytes"])
    .select("profile.pages_version as current")
    .where(({ eb, refTuple, tuple }) => eb(refTuple("page.owner_id", "page.path"), ">", tuple(...after)))
    .orderBy("page.owner_id")
    .orderBy("page.path")
    .limit(batchSize)
    .execute();
}

/** Deletes the oldest rows, of so many bytes together. */
async function deleteOldest({ db, engine }: Database, bytes: number): Promise<void> {
  for (let excess = bytes; excess > 0;) {
    const oldest = await db
      .selectFrom("rendered_page")
      .select(["path", "bytes"])
      .orderBy("rendered_at")
      .limit(batchSize)
      .execute();
    const beyond = oldest.filter((_, at) => sum(oldest.slice(0, at)) < excess);
    if (beyond.length === 0) return;
    await deleteRows({ db, engine }, beyond);
    excess -= sum(beyond);
    await pause(0);
  }
}

async function deleteRows(database: Database, rows: { path: string }[]): Promise<void> {
  if (rows.length === 0) return;
  const paths = rows.map(({ path }) => path).toSorted();
  await transactWithoutFsync(database, async (trx) => {
    await trx.deleteFrom("rendered_page").where("path", "in", paths).execute();
  });
}

function sum(rows: { bytes: number }[]): number {
  return rows.reduce((total, { bytes }) => total + bytes, 0);
}
