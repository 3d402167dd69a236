import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Logger } from "pino";

import { readConfig } from "#app/services/config/config.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { createMail } from "#app/services/mail/mail.server.ts";
import { openFileStorage } from "#app/services/storage/file-storage.server.ts";

import { runChecks } from "./run-checks.server.ts";
import type { Finding } from "./run-checks.server.ts";
import { databaseChecks, filesCheck } from "./database-checks.server.ts";
import { backupCheck, folderChecks, passChecks, storageCheck } from "./machine-checks.server.ts";
import { mailCheck, outgoingCheck, proxyChecks, reachChecks } from "./network-checks.server.ts";

type DoctorOptions = {
  env: Record<string, string | undefined>;
  cwd: string;
  /** Folder of the .sql files. */
  migrations: string;
  log: Logger;
  /** Gets a test email. */
  testAddress?: string | undefined;
  /** A site that must be reachable. */
  probeUrl?: string;
};

/** The secret, if it can be read: the check of the secrets says why not. */
function findSecret(dataDir: string): string | undefined {
  try {
    return openSecrets(join(dataDir, "secrets.json")).find("auth");
  } catch {
    return undefined;
  }
}

/**
 * Examines the installation that these settings describe, whether it is running or not, and changes nothing but a test file. Stops early
 * where the rest can't be checked.
 */
export async function* examine({ env, cwd, migrations, log, ...options }: DoctorOptions): AsyncGenerator<Finding> {
  const read = readConfig(env, cwd);
  if ("problems" in read) {
    for (const text of read.problems) yield { name: "Settings", state: "error", text, fix: "See docs/settings.md." };
    return;
  }
  const { config } = read;
  yield { name: "Settings", state: "ok", text: "They are valid." };
  const now = Date.now();
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    const fix = "Set DATA_DIR to the folder of the running program, or start Meishi.";
    yield { name: "Data folder", state: "error", text: `${dataDir} doesn't exist.`, fix };
    return;
  }
  yield* runChecks(folderChecks(config));
  const secret = findSecret(dataDir);
  yield* runDatabaseChecks();

  async function* runDatabaseChecks() {
    const folder = { filesDir: join(dataDir, "files"), tempDir: join(dataDir, "files/.drafts") };
    try {
      if (!config.databaseUrl && !existsSync(join(dataDir, "meishi.db")))
        throw new Error(`There is no database in ${dataDir}.`);
      const database = await openDatabase({ ...config, hasDeadline: false });
      try {
        const { db } = database;
        yield* runChecks([
          ...databaseChecks({ database, baseUrl: config.baseUrl, secret, migrations, now }),
          backupCheck(config, { db, now }),
        ]);
        const files = await openFileStorage({ config, folder, log });
        yield* runChecks([storageCheck(config, files), filesCheck(db, files)]);
      } finally {
        await database.close();
      }
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      yield {
        name: "Database",
        state: "error",
        text,
        fix: "Start Meishi once, or check DATA_DIR, DATABASE_URL and S3_…",
      } as const;
    }
  }

  const mail = createMail(config, join(dataDir, "mail"));
  yield* runChecks([
    ...passChecks(config, { now, log }),
    mailCheck(config, mail, options.testAddress),
    outgoingCheck(options.probeUrl),
  ]);
  let isReached = true;
  for await (const finding of runChecks(reachChecks(config, { secret, now }))) {
    if (finding.state === "error") isReached = false;
    yield finding;
  }
  if (isReached) yield* runChecks(proxyChecks(config, { secret, now }));
}
