import type { Logger } from "pino";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { backUpBeforeUpdate } from "#app/services/backup/before-update.server.ts";
import type { Secrets } from "#app/services/base/signed-token.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { fingerprintName, fingerprintOf } from "#app/services/config/secrets.server.ts";
import { addressName, findMove } from "#app/services/config/moved-address.server.ts";
import { ensureSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import { openDatabase, updateStatistics } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase } from "#app/services/database/database.server.ts";
import { explainRights, migrate } from "#app/services/database/migrate.server.ts";
import { createClockCheck } from "#app/services/jobs/clock-checks.server.ts";

type DatabasePreparation = { config: Config; migrations: string; secrets: Secrets; log: Logger };

/** Updates the tables, after a backup, and checks the secret and the clock. Throws a start problem. */
export async function prepareDatabase(
  database: OpenDatabase,
  { config, migrations, secrets, log }: DatabasePreparation,
) {
  const { engine } = database;
  const patient = engine === "postgres" ? await openDatabase({ ...config, log, hasDeadline: false }) : database;
  try {
    const completeUpdate = await backUpBeforeUpdate(patient, { config, migrations, log });
    await migrate(patient.db, engine, migrations);
    await createAuthTables(patient.db, engine);
    completeUpdate();
    await updateStatistics(database, true);
    await checkSecret(database.db, secrets, log);
    await checkAddress(database.db, config.baseUrl, log);
  } catch (error) {
    throw await explainRights(patient.db, error);
  } finally {
    if (patient !== database) await patient.close();
  }
  return openClockCheck(database, log);
}

async function openClockCheck(database: OpenDatabase, log: Logger) {
  const clockCheck = createClockCheck(database);
  await clockCheck.measure();
  const problem = clockCheck.problem();
  if (problem) log.warn(problem);
  return clockCheck;
}

/** Warns once when BASE_URL has changed. */
async function checkAddress(db: Db, baseUrl: string, log: Logger): Promise<void> {
  const moved = await findMove(db, baseUrl);
  if (moved !== undefined) log.warn(moved);
  await saveSetting(db, addressName, baseUrl);
}

/** Warns when the secret differs from the one that the database was first used with, whose fingerprint it has. */
export async function checkSecret(db: Db, { secret, previousSecret }: Secrets, log: Logger): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  const stored = await ensureSetting(db, fingerprintName, fingerprint);
  if (stored === fingerprint) return;
  // A rotation was interrupted, or this is the second of several nodes that got the new secret.
  if (previousSecret !== undefined && stored === fingerprintOf(previousSecret))
    return saveSetting(db, fingerprintName, fingerprint);
  log.warn(
    "secrets.json differs from the one that was first used with this database: sessions, links in emails and stored secrets that " +
      "were made with the other one don't work. Put the first secrets.json back (of several nodes, that of the first node's " +
      "DATA_DIR) and restart.",
  );
}
