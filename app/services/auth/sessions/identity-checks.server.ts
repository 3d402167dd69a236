import { createHmac } from "node:crypto";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { checkPasskey } from "#app/services/auth/factors/passkey-challenges.server.ts";
import { checkSecondFactor } from "#app/services/auth/factors/second-factor-checks.server.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";
import { newSixDigits } from "#app/services/auth/tokens.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
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

const minuteMs = 60_000;
const codeMinutes = 10;
/** A sensitive change asks for a new proof this long after the last one. */
const freshMs = 10 * minuteMs;

/** Whether a user proved recently enough who they are to make sensitive changes. */
export function isFreshProof(verifiedAt: number): boolean {
  return Date.now() - verifiedAt < freshMs;
}

// With the secret: six digits alone could be tried out against the stored hash.
const hashCode = ({ secret }: AuthDeps, userId: string, code: string) =>
  createHmac("sha256", secret).update(`identity code\n${userId}\n${code}`).digest("base64url");

type Given = { userId: string; proof: IdentityProof; origin: RequestOrigin };

/**
 * Checks a proof with each factor that the account has, as sensitive changes ask for it (reauthentication, OWASP ASVS 5.0 §7.5). Gives the
 * session of the request a new token, and notes the time. The caller counts attempts first.
 */
export function confirmIdentity(deps: AuthDeps, given: Given): Promise<IdentityOutcome> {
  const { userId, proof, origin } = given;
  return transact(deps.db, async (trx): Promise<IdentityOutcome> => {
    if (!(await lockUser(trx, userId))) return { kind: "refused" };
    const problem = await findProblem(deps, trx, given);
    if (problem) return { kind: problem };
    const before = await readSessionToken(deps, origin.headers);
    const token =
      before === undefined ? undefined : await renewSession(trx, before, { allowsOld: true, isProof: true });
    // The session ended or got its new token in another request.
    if (token === undefined) return { kind: "confirmed", cookies: [] };
    const isTwoStep = proof.method !== "passkey" && (await hasSecondFactor(trx, userId));
    const second = isTwoStep ? proof.second : undefined;
    const detail = second ? `${proof.method}+${second.kind}` : proof.method;
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "identity-confirmed", detail, origin });
    return { kind: "confirmed", cookies: [await sessionCookie(deps, token)] };
  });
}

async function findProblem(deps: AuthDeps, trx: Trx, { userId, proof, origin }: Given) {
  if (proof.method === "passkey") {
    const response = { response: proof.response, purpose: "confirm", userId } as const;
    return (await checkPasskey(deps, trx, response)) === undefined ? "refused" : undefined;
  }
  if (proof.method === "email-code" && !(await findCode(deps, trx, { userId, code: proof.code }))) return "refused";
  if (await hasSecondFactor(trx, userId)) {
    const { second: response } = proof;
    if (!response || !(await checkSecondFactor(deps, trx, { userId, response, origin }))) return "second-factor";
  }
  // Used up by a complete proof alone: a mistyped second factor must not cost another email.
  if (proof.method === "email-code") await deleteCode(trx, userId);
  return undefined;
}

type GivenCode = { userId: string; code: string };

/** Uses up a mailed code. Returns false for a wrong or expired one. */
export async function useIdentityCode(deps: AuthDeps, trx: Trx, given: GivenCode): Promise<boolean> {
  if (!(await findCode(deps, trx, given))) return false;
  await deleteCode(trx, given.userId);
  return true;
}

function findCode(deps: AuthDeps, trx: Trx, { userId, code }: GivenCode) {
  return selectCode(trx, userId)
    .where("code_hash", "=", hashCode(deps, userId, code))
    .executeTakeFirst();
}

async function deleteCode(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("identity_code").where("owner_id", "=", userId).execute();
}

/** Mails a code to the owner of an account without a password. A newer code replaces an older one. */
export async function sendIdentityCode(deps: AuthDeps, userId: string): Promise<void> {
  const code = newSixDigits();
  const change = { code_hash: hashCode(deps, userId, code), expires_at: Date.now() + codeMinutes * minuteMs };
  await transact(deps.db, async (trx) => {
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

/** Until when the mailed code is valid, in epoch milliseconds. */
export async function findIdentityCode({ db }: AuthDeps, userId: string): Promise<number | undefined> {
  return (await selectCode(db, userId).executeTakeFirst())?.expires_at;
}

function selectCode(trx: Db | Trx, userId: string) {
  return trx
    .selectFrom("identity_code")
    .select("expires_at")
    .where("owner_id", "=", userId)
    .where("expires_at", ">", Date.now());
}
