import { createHmac, randomInt } from "node:crypto";

import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import type {
  CheckSecondFactor,
  SecondFactorResponse,
} from "#app/services/auth/factors/second-factor-checks.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { hasSecondFactor } from "./account-factor.server.ts";
import { readSessionToken, renewSession, sessionCookie } from "./session-rows.server.ts";

/** How the user of a session proves again who they are. `second`: needed where two-step verification is on. */
export type IdentityProof =
  /** The caller has checked the password. */
  | { method: "password"; second?: SecondFactorResponse | undefined }
  | { method: "email-code"; code: string; second?: SecondFactorResponse | undefined }
  /** `response`: what the browser returned, as JSON. A passkey is both factors. */
  | { method: "passkey"; response: string };

export type IdentityOutcome =
  | { kind: "confirmed"; cookies: string[] }
  /** A wrong or used code, or a passkey that can't be used. */
  | { kind: "refused" }
  /** Right so far, but the second factor is missing or wrong. */
  | { kind: "second-factor" };

export type IdentityChecks = {
  /**
   * Checks a proof with each factor that the account has, gives the session of the request a new token, and notes the time. The caller
   * counts attempts first.
   */
  confirmIdentity(request: { userId: string; proof: IdentityProof; origin: RequestOrigin }): Promise<IdentityOutcome>;
  /** Mails a code to the owner of an account without a password. A newer code replaces an older one. */
  sendIdentityCode(userId: string): Promise<void>;
  /** Until when the mailed code is valid, in epoch milliseconds. */
  findIdentityCode(userId: string): Promise<number | undefined>;
};

type IdentityChecksDeps = {
  auth: BetterAuth;
  db: Db;
  secret: string;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
  factors: {
    checkSecondFactor: CheckSecondFactor;
    checkConfirmation(trx: Trx, given: { userId: string; response: string }): Promise<boolean>;
  };
};

const minuteMs = 60_000;
const codeMinutes = 10;
/** A sensitive change asks for a new proof this long after the last one. */
const freshMs = 10 * minuteMs;

/** Whether a user proved recently enough who they are to make sensitive changes. */
export function isFreshProof(verifiedAt: number): boolean {
  return Date.now() - verifiedAt < freshMs;
}

/** The proofs that sensitive changes ask for (reauthentication, OWASP ASVS 5.0 §7.5). */
export function createIdentityChecks({ auth, db, secret, factors, ...deps }: IdentityChecksDeps): IdentityChecks {
  // With the secret: six digits alone could be tried out against the stored hash.
  const hashCode = (userId: string, code: string) =>
    createHmac("sha256", secret).update(`identity code\n${userId}\n${code}`).digest("base64url");

  function confirmIdentity({ userId, proof, origin }: Parameters<IdentityChecks["confirmIdentity"]>[0]) {
    return transact(db, async (trx): Promise<IdentityOutcome> => {
      if (!(await lockUser(trx, userId))) return { kind: "refused" };
      const problem = await findProblem(trx, { userId, proof, origin });
      if (problem) return { kind: problem };
      const before = await readSessionToken(auth, origin.headers);
      const token =
        before === undefined ? undefined : await renewSession(trx, before, { allowsOld: true, isProof: true });
      // The session ended or got its new token in another request.
      if (token === undefined) return { kind: "confirmed", cookies: [] };
      const isTwoStep = proof.method !== "passkey" && (await hasSecondFactor(trx, userId));
      const second = isTwoStep ? proof.second : undefined;
      const detail = second ? `${proof.method}+${second.kind}` : proof.method;
      await deps.securityEvents.record(trx, { ownerId: userId, event: "identity-confirmed", detail, origin });
      return { kind: "confirmed", cookies: [await sessionCookie(auth, token)] };
    });
  }

  async function findProblem(trx: Trx, { userId, proof, origin }: Parameters<IdentityChecks["confirmIdentity"]>[0]) {
    if (proof.method === "passkey")
      return (await factors.checkConfirmation(trx, { userId, response: proof.response })) ? undefined : "refused";
    if (proof.method === "email-code" && !(await hasCode(trx, { userId, code: proof.code }))) return "refused";
    if (await hasSecondFactor(trx, userId)) {
      const { second: response } = proof;
      if (!response || !(await factors.checkSecondFactor(trx, { userId, response, origin }))) return "second-factor";
    }
    // Used up by a complete proof alone: a mistyped second factor must not cost another email.
    if (proof.method === "email-code") await trx.deleteFrom("identity_code").where("owner_id", "=", userId).execute();
    return undefined;
  }

  async function hasCode(trx: Trx, { userId, code }: { userId: string; code: string }): Promise<boolean> {
    const row = await trx
      .selectFrom("identity_code")
      .select("owner_id")
      .where("owner_id", "=", userId)
      .where("code_hash", "=", hashCode(userId, code))
      .where("expires_at", ">", Date.now())
      .executeTakeFirst();
    return row !== undefined;
  }

  async function sendIdentityCode(userId: string) {
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const change = { code_hash: hashCode(userId, code), expires_at: Date.now() + codeMinutes * minuteMs };
    await transact(db, async (trx) => {
      if (!(await lockUser(trx, userId))) return;
      const owner = await findAddress(trx, userId);
      if (!owner) return;
      await trx
        .insertInto("identity_code")
        .values({ owner_id: userId, ...change })
        .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(change))
        .execute();
      await deps.enqueueMail({ kind: "identity-code", to: owner.email, code, validMinutes: codeMinutes }, trx);
    });
  }

  return {
    confirmIdentity,
    sendIdentityCode,
    findIdentityCode: async (userId) => {
      const row = await db
        .selectFrom("identity_code")
        .select("expires_at")
        .where("owner_id", "=", userId)
        .where("expires_at", ">", Date.now())
        .executeTakeFirst();
      return row?.expires_at;
    },
  };
}
