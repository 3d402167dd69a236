import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { newToken } from "#app/services/auth/tokens.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { challengeOf, readAuthentication, relyingPartyOf, verifyAuthentication } from "./passkey-responses.server.ts";

/** What a passkey signs a challenge for: a response to one can't be used for another. */
export type PasskeyPurpose = "sign-in" | "second-factor" | "add" | "confirm";

type ChallengeFor = { purpose: PasskeyPurpose; ownerId: string };

const validMs = 5 * 60 * 1000;

/** Stores a new challenge, in base64url. */
export async function makeChallenge(db: Db, { purpose, ownerId }: ChallengeFor): Promise<string> {
  const challenge = newToken(32);
  await db.deleteFrom("passkey_challenge").where("expires_at", "<=", Date.now()).execute();
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

/** What signed a challenge: `response` is JSON from the browser. Without `userId`, any passkey of this site. */
type Signed = { response: string; purpose: PasskeyPurpose; userId: string | undefined };

/** The owner of the passkey, if it signed the challenge that it was asked to sign; the challenge is then used up. */
export async function checkPasskey(
  { baseUrl }: AuthDeps,
  trx: Trx,
  { response: json, purpose, userId }: Signed,
): Promise<string | undefined> {
  const response = readAuthentication(json);
  const passkey =
    response &&
    (await trx.selectFrom("passkey").selectAll().where("credential_id", "=", response.id).executeTakeFirst());
  if (!passkey || (userId !== undefined && passkey.owner_id !== userId)) return undefined;
  const challenge = challengeOf(response);
  if (!(await takeChallenge(trx, { challenge, purpose, ownerId: userId ?? "" }))) return undefined;
  const relyingParty = relyingPartyOf(baseUrl);
  const needsUserVerification = purpose !== "second-factor";
  const counter = await verifyAuthentication(response, { passkey, relyingParty, needsUserVerification });
  if (counter === undefined) return undefined;
  await trx.updateTable("passkey").set({ counter, last_used_at: Date.now() }).where("id", "=", passkey.id).execute();
  return passkey.owner_id;
}
