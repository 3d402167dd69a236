import { existsSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { listInstances } from "#app/features/status/data.server.ts";
import { totpEncryption } from "#app/services/auth/auth-deps.server.ts";
import { endEverySession } from "#app/services/auth/sessions/own-sessions.server.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import type { Secrets } from "#app/services/base/signed-token.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { openDataFolder } from "#app/services/config/data-folder.server.ts";
import { fingerprintName, fingerprintOf, openSecrets } from "#app/services/config/secrets.server.ts";
import { findSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import { openDatabase, transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { features } from "../features.ts";

const allEncrypted = [totpEncryption, ...features.flatMap(({ encrypted = [] }) => encrypted)];

/**
 * Replaces the installation's secret, encrypts anew what was encrypted with it, and ends all sessions. What was signed with it
 * stays valid until the next rotation, but for what leads into an account. Can be interrupted and repeated: both secrets decrypt. Throws a start problem.
 */
export async function rotateSecrets(config: Config): Promise<string> {
  const path = join(config.dataDir, "secrets.json");
  if (!existsSync(path)) throw startProblem(`${path} doesn't exist, so there is nothing to replace.`);
  const folder = openDataFolder(config.dataDir);
  const { db, close } = await openDatabase({ ...config, hasDeadline: false });
  try {
    const running = await listInstances(db, Date.now());
    if (running.length > 0)
      throw startProblem(
        `${running.length} ${running.length === 1 ? "process uses" : "processes use"} this database. Stop Meishi on all nodes. ` +
          "If it was killed, wait three minutes.",
      );
    const secrets = openSecrets(path);
    await checkFingerprint(db, secrets.all());
    // Of a rotation that was interrupted: the secret before it is about to be forgotten.
    await encryptAnew(db, secrets.all());
    const rotated = secrets.rotate();
    await encryptAnew(db, rotated);
    const ended = await transact(db, async (trx) => {
      await saveSetting(trx, fingerprintName, fingerprintOf(rotated.secret));
      return endEverySession(trx);
    });
    return [
      `The secret in ${path} was replaced, and ${ended} ${ended === 1 ? "session has" : "sessions have"} ended. Start Meishi.`,
      "Links to leave lists, open forms and backup codes stay valid until the next rotation. API keys, webhooks, calendars and passes go on.",
      "With several nodes, copy the file to all of them first. Keep a new backup: an older one has the former secret.",
    ].join("\n");
  } finally {
    await close();
    folder.close();
  }
}

async function checkFingerprint(db: Db, { secret, previousSecret }: Secrets) {
  const stored = await findSetting(db, fingerprintName);
  const known = [secret, previousSecret].map((one) => one !== undefined && fingerprintOf(one));
  if (stored !== undefined && !known.includes(stored))
    throw startProblem(
      "secrets.json isn't the one that this database is used with. Put that one back (of several nodes, that of the first), then rotate.",
    );
}

/** Encrypts with the current secret what the previous one encrypted. What neither can decrypt stays as it is. */
async function encryptAnew(db: Db, secrets: Secrets): Promise<void> {
  if (secrets.previousSecret === undefined) return;
  for (const { purpose, table, key, columns } of allEncrypted) {
    const box = createSecretBox(secrets, purpose);
    const current = createSecretBox({ secret: secrets.secret }, purpose);
    const names = sql.join([...new Set(["owner_id", ...key, ...columns])].map((name) => sql.ref(name)));
    const { rows } = await sql<Record<string, string | null>>`select ${names} from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      const ownerId = row["owner_id"] ?? "";
      for (const column of columns) {
        const stored = row[column] ?? "";
        const text =
          stored === "" || current.read(stored, ownerId) !== undefined ? undefined : box.read(stored, ownerId);
        if (text === undefined) continue;
        const isRow = sql.join(
          [...key, column].map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        );
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${current.encrypt(text, ownerId)} where ${isRow}`.execute(
          db,
        );
      }
    }
  }
}
