import { randomBytes } from "node:crypto";

import type { Db, Trx } from "#app/services/database/database.server.ts";

/** What a passkey signs a challenge for: a response to one can't be used for another. */
export type PasskeyPurpose = "sign-in" | "second-factor" | "add" | "confirm";

type ChallengeFor = { purpose: PasskeyPurpose; ownerId: string };

const validMs = 5 * 60 * 1000;

/** Stores a new challenge, in base64url. */
export async function makeChallenge(db: Db, { purpose, ownerId }: ChallengeFor): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await sweepChallenges(db);
  await db
    .insertInto("passkey_challenge")
    .values({ challenge, purpose, owner_id: ownerId, expires_at: Date.now() + validMs })
    .execute();
  return challenge;
}

/** Uses up a challenge. Returns false if it is unknown, expired, used or for something else. */
export async function takeChallenge(
  trx: Trx,
  { challenge, purpose, ownerId }: ChallengeFor & { challenge: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("passkey_challenge")
    .where("challenge", "=", challenge)
    .where("purpose", "=", purpose)
    .where("owner_id", "=", ownerId)
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function sweepChallenges(db: Db): Promise<void> {
  await db.deleteFrom("passkey_challenge").where("expires_at", "<=", Date.now()).execute();
}
