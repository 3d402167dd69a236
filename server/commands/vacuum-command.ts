import { existsSync } from "node:fs";
import { join } from "node:path";

import { startProblem } from "#app/services/base/errors.ts";
import { formatBytes } from "#app/services/base/format.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import { vacuumPostgres } from "#app/services/database/database.server.ts";
import { vacuumSqlite } from "#app/services/database/sqlite.server.ts";

import { runCommand } from "./run-command.ts";

const usage = `Usage: npm run vacuum

  Gives the space of deleted rows back: SQLite's file becomes smaller, PostgreSQL uses the space again.
  Works while Meishi is running, with its settings; with SQLite, saves have to wait meanwhile. See docs/operators.md.`;

async function run(given: string[]): Promise<string> {
  if (given.includes("--help") || given.includes("-h")) return usage;
  if (given.length > 0) throw startProblem(usage);
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  const { dataDir, databaseUrl } = read.config;
  if (databaseUrl !== undefined) {
    await vacuumPostgres(databaseUrl);
    return "Done. PostgreSQL uses the space of deleted rows again; the database keeps about its size.";
  }
  const path = join(dataDir, "meishi.db");
  if (!existsSync(path)) throw startProblem(`${path} doesn't exist. Check DATA_DIR.`);
  // SQLite's temporary file has the whole content; /tmp may be small or in memory.
  environment()["SQLITE_TMPDIR"] ??= dataDir;
  const { before, after } = vacuumSqlite(dataDir);
  return `Done. Freed ${formatBytes(Math.max(0, before - after))}: ${path} had ${formatBytes(before)} and now has ${formatBytes(after)}.`;
}

runCommand(run);
