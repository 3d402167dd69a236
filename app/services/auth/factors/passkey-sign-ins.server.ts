import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import type { FactorDeps } from "./factor-deps.server.ts";
import { makeChallenge, takeChallenge } from "./passkey-challenges.server.ts";
import type { PasskeyPurpose } from "./passkey-challenges.server.ts";
import {
  challengeOf,
  loadPasskeyLibrary,
  readAuthentication,
  verifyAuthentication,
} from "./passkey-responses.server.ts";
import { listCredentials, relyingPartyOf } from "./passkeys.server.ts";

/** `response`: what the browser returned, as JSON. */
type Response = { response: string };

export type PasskeySignIns = {
  /** The options for `navigator.credentials.get`; without a user, for a sign-in with any passkey of this site. */
  askPasskey(of?: { userId: string; purpose: "second-factor" | "confirm" }): Promise<object>;
  /** Signs in with a passkey alone: it counts as both factors. */
  signInWithPasskey(given: Response & RequestOrigin): Promise<SignInOutcome | { kind: "refused" }>;
  /** Checks a passkey for an account that waits for its second factor. */
  checkSecondFactor(trx: Trx, given: { userId: string } & Response): Promise<boolean>;
  /** Checks the passkey of a signed-in user who proves again who they are. */
  checkConfirmation(trx: Trx, given: { userId: string } & Response): Promise<boolean>;
};

export function createPasskeySignIns(deps: FactorDeps): PasskeySignIns {
  const { db, signIns } = deps;
  const relyingParty = relyingPartyOf(deps.baseUrl);

  async function askPasskey(of?: { userId: string; purpose: "second-factor" | "confirm" }) {
    const purpose = of?.purpose ?? "sign-in";
    const { generateAuthenticationOptions } = await loadPasskeyLibrary();
    return generateAuthenticationOptions({
      rpID: relyingParty.id,
      challenge: Buffer.from(await makeChallenge(db, { purpose, ownerId: of?.userId ?? "" }), "base64url"),
      userVerification: purpose === "second-factor" ? "preferred" : "required",
      ...(of && { allowCredentials: await listCredentials(db, of.userId) }),
    });
  }

  /** The owner of the passkey, if it signed the challenge that it was asked to sign; the challenge is then used up. */
  async function check(trx: Trx, { response: json, purpose, userId }: Asked): Promise<string | undefined> {
    const response = readAuthentication(json);
    const row = response && (await findCredential(trx, response.id));
    if (!row || (userId !== undefined && row.owner_id !== userId)) return undefined;
    const challenge = challengeOf(response);
    if (!(await takeChallenge(trx, { challenge, purpose, ownerId: userId ?? "" }))) return undefined;
    const needsUserVerification = purpose !== "second-factor";
    const counter = await verifyAuthentication(response, { passkey: row, relyingParty, needsUserVerification });
    if (counter === undefined) return undefined;
    await trx.updateTable("passkey").set({ counter, last_used_at: Date.now() }).where("id", "=", row.id).execute();
    return row.owner_id;
  }

  async function signInWithPasskey({ response, ...origin }: Response & RequestOrigin) {
    return transact(db, async (trx) => {
      const userId = await check(trx, { response, purpose: "sign-in", userId: undefined });
      if (userId === undefined || !(await lockUser(trx, userId))) return { kind: "refused" as const };
      return signIns.completeSignIn(trx, { userId, method: "passkey", origin });
    });
  }

  return {
    askPasskey,
    signInWithPasskey,
    checkSecondFactor: async (trx, given) => (await check(trx, { ...given, purpose: "second-factor" })) !== undefined,
    checkConfirmation: async (trx, given) => (await check(trx, { ...given, purpose: "confirm" })) !== undefined,
  };
}

type Asked = Response & { purpose: PasskeyPurpose; userId: string | undefined };

function findCredential(trx: Trx, credentialId: string) {
  return trx.selectFrom("passkey").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
}
