import { createHash } from "node:crypto";

import type { Logger } from "pino";

import type { Db } from "#app/services/database.server.ts";

/**
 * Nodes that share a database should share the secret: a session made on one is unknown on another otherwise. The first node leaves
 * a fingerprint of its secret; a node with another one says so in the log.
 */
export async function compareSecret(db: Db, secret: string, log: Logger): Promise<void> {
  const fingerprint = createHash("sha256").update(`meishi fingerprint\n${secret}`).digest("base64url");
  await db
    .insertInto("setting")
    .values({ name: "secret-fingerprint", value: fingerprint })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("setting")
    .select("value")
    .where("name", "=", "secret-fingerprint")
    .executeTakeFirstOrThrow();
  if (value === fingerprint) return;
  log.warn(
    "This node's secrets.json is not the one this database was first used with: people who signed in on another node are signed " +
      "out here, and the other way round. Copy secrets.json from the first node's DATA_DIR into this one's and start again.",
  );
}
