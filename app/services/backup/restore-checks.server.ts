import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { z } from "zod";

import { writeAtomically } from "#app/services/base/atomic-write.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { restoreMarker } from "#app/services/config/data-folder.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

import type { Manifest } from "./manifest.ts";

/**
 * What a restore that was killed had begun. `sums`: the hash of the hashes of its backup. `isLoaded`: everything is there, and at most
 * the database's file must still be moved to its place.
 */
type Marker = z.infer<typeof markerSchema>;

const markerSchema = z.object({ sums: z.string(), isLoaded: z.boolean() });

export function writeMarker(dataDir: string, marker: Marker): void {
  writeAtomically(join(dataDir, restoreMarker), JSON.stringify(marker));
}

/** Undefined if no restore was begun there. Throws a start problem for one of another backup. */
export function readMarker(dataDir: string, { sums }: Manifest): Marker | undefined {
  const path = join(dataDir, restoreMarker);
  if (!existsSync(path)) return undefined;
  const marker = markerSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  if (marker.sums === sums) return marker;
  throw startProblem(
    `A restore of another backup into ${dataDir} (DATA_DIR) didn't finish. Use that backup, or an empty folder, database and bucket.`,
  );
}

/** SQLite would apply the write-ahead log of another database to the restored one. */
const databaseNames = ["meishi.db", "meishi.db-wal", "meishi.db-shm"];

/** Throws a start problem that names what is in the data folder. `isBegun`: files and secrets may be there, of the restore before. */
export function refuseFilledFolder({ dataDir }: Config, manifest: Manifest, isBegun: boolean): void {
  const others = manifest.files && !isBegun ? ["secrets.json", "content"] : [];
  const found = [...databaseNames, ...others].filter((name) => existsSync(join(dataDir, name)));
  if (found.length > 0)
    throw startProblem(
      `The data folder ${dataDir} (DATA_DIR) isn't empty: it has ${found.join(", ")}. A restore replaces nothing. Stop Meishi, move the folder away or set DATA_DIR to another one, and try again.`,
    );
}

export async function refuseFilledStore({ dataDir, s3 }: Config, files: FileStorage): Promise<void> {
  const what = s3 ? "Use an empty bucket (S3_BUCKET)." : `Move ${join(dataDir, "files")} away, and try again.`;
  for await (const { path } of files.list(""))
    throw startProblem(`The file storage isn't empty: it has ${path}. A restore replaces nothing. ${what}`);
}

/** `own`: our tables, in case others share the database. Those without rows are of a restore that was killed. */
export async function refuseFilledDatabase(
  { db }: OpenDatabase,
  { migrations }: Manifest,
  own: readonly string[],
): Promise<void> {
  const refusal = (reason: string) =>
    startProblem(
      `The database (DATABASE_URL) isn't empty: ${reason}. A restore replaces nothing. Create another database (createdb), set DATABASE_URL to it, and try again.`,
    );
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(db);
  for (const { name } of rows) {
    if (name === "migration") {
      const applied = await db.selectFrom("migration").select("name").where("name", "<>", "(lock)").execute();
      if (applied.some((row) => !migrations.includes(row.name))) throw refusal("it was used by a newer version");
    } else if (own.includes(name)) {
      const { rows: found } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
      if (found.length > 0) throw refusal(`its table ${name} has rows`);
    }
  }
}
