import { createHmac, randomInt } from "node:crypto";

import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { readSessionToken, renewSession, sessionCookie } from "./session-rows.server.ts";

/** The user of a session proved again who they are. `method`: "password", "email-code", "passkey". */
export type IdentityProof = { userId: string; method: string; origin: RequestOrigin };

export type IdentityChecks = {
  /** Gives the session of the request a new token and notes the time of the proof. Returns the cookies to set. */
  confirmIdentity(proof: IdentityProof, trx?: Trx): Promise<string[]>;
  /** Mails a code to the owner of an account without a password. A newer code replaces an older one. */
  sendIdentityCode(userId: string): Promise<void>;
  /** Until when the mailed code is valid, in epoch milliseconds. */
  findIdentityCode(userId: string): Promise<number | undefined>;
  /** Uses up the mailed code and confirms who the user is; undefined for a wrong code. The caller counts attempts first. */
  takeIdentityCode(check: { userId: string; code: string; origin: RequestOrigin }): Promise<string[] | undefined>;
};

type IdentityChecksDeps = {
  auth: BetterAuth;
  db: Db;
  secret: string;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
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
export function createIdentityChecks({ auth, db, secret, ...deps }: IdentityChecksDeps): IdentityChecks {
  // With the secret: six digits alone could be tried out against the stored hash.
  const hashCode = (userId: string, code: string) =>
    createHmac("sha256", secret).update(`identity code\n${userId}\n${code}`).digest("base64url");

  async function confirm(trx: Trx, { userId, method, origin }: IdentityProof): Promise<string[]> {
    const before = await readSessionToken(auth, origin.headers);
    const token = before === undefined ? undefined : await renewSession(trx, before, { allowsOld: true });
    // The session ended or got its new token in another request.
    if (token === undefined) return [];
    await deps.securityEvents.record(trx, { ownerId: userId, event: "identity-confirmed", detail: method, origin });
    return [await sessionCookie(auth, token)];
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
    confirmIdentity: (proof, trx) => (trx ? confirm(trx, proof) : transact(db, (own) => confirm(own, proof))),
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
    takeIdentityCode: ({ userId, code, origin }) =>
      transact(db, async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom("identity_code")
          .where("owner_id", "=", userId)
          .where("code_hash", "=", hashCode(userId, code))
          .where("expires_at", ">", Date.now())
          .executeTakeFirst();
        return numDeletedRows > 0n ? confirm(trx, { userId, method: "email-code", origin }) : undefined;
      }),
  };
}
