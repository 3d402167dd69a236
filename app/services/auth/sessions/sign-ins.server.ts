import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { startAppSession } from "#app/services/auth/apps/app-sessions.server.ts";
import type { AppTokens } from "#app/services/auth/apps/app-sessions.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import { browserName } from "./browser-name.ts";
import { findDevice, rememberDevice } from "./devices.server.ts";
import { endSession, insertSession, readMethod, readSessionToken, sessionCookie } from "./session-rows.server.ts";
import type { SignInMethod } from "./session-rows.server.ts";

/** A user proved who they are in one way. */
export type SignInProof = {
  userId: string;
  method: SignInMethod;
  origin: RequestOrigin;
  /** The account was created by this request: its owner needs no mail about a new browser. */
  isNew?: boolean;
  /** For an app: when the proof was given, if it also allows sensitive changes. */
  verifiedAt?: number;
  /** For an app: each factor was checked already, in the browser. */
  isFull?: boolean;
};

export type SignInOutcome =
  /** `tokens`: of an app, which gets no cookies. */
  | { kind: "signed-in"; userId: string; cookies: string[]; tokens?: AppTokens }
  /** The cookie names the sign-in that waits for the second factor, which /auth/verify asks for. */
  | { kind: "second-factor"; cookies: string[] }
  /** The operator blocked the account. */
  | { kind: "blocked" };

/** The second factor that was checked. `trustMs`: for how long the browser needs none. */
export type CheckedFactor = { factor: SecondFactorKind; trustMs: number | undefined };

export type SecondFactorKind = "code" | "backup-code" | "passkey";

type StartedSession = SignInProof & Partial<CheckedFactor>;

export type Challenge = { hash: string; userId: string; method: SignInMethod };

const cookieName = "meishi.challenge";
const challengeSeconds = 10 * 60;

/**
 * Every sign-in method ends here, in the transaction in which the proof was checked. Asks for the second factor if the account has one, the
 * proof is not a passkey, and the browser is not trusted.
 */
export async function completeSignIn(deps: AuthDeps, trx: Trx, proof: SignInProof): Promise<SignInOutcome> {
  if (await isBlocked(trx, proof.userId)) return { kind: "blocked" };
  if (proof.origin.isApp) return signInApp(deps, trx, proof);
  const secondStep = await findSecondStep(deps, trx, proof);
  if (secondStep !== "needed") {
    const verifiedAt = secondStep === "trusted" ? 0 : Date.now();
    const cookies = await startSession(deps, trx, { ...proof, verifiedAt });
    return { kind: "signed-in", userId: proof.userId, cookies };
  }
  const token = newToken();
  const expires_at = Date.now() + challengeSeconds * 1000;
  const { userId: owner_id, method } = proof;
  // One at a time per account and browser is enough; the table stays small.
  await trx.deleteFrom("sign_in_challenge").where("expires_at", "<", Date.now()).execute();
  await trx
    .insertInto("sign_in_challenge")
    .values({ token_hash: hashToken(token), owner_id, method, expires_at })
    .execute();
  const { isSecure } = deps;
  return {
    kind: "second-factor",
    cookies: [httpOnlyCookie(cookieName, token, { seconds: challengeSeconds, isSecure })],
  };
}

/** An app has no browser to trust: without the second factor its session may only ask for that. */
async function signInApp(deps: AuthDeps, trx: Trx, proof: SignInProof): Promise<SignInOutcome> {
  const { userId, method, origin, isNew = method === "sign-up", verifiedAt = 0 } = proof;
  const isFull = proof.isFull === true || !(await hasSecondFactor(trx, userId));
  const browser = `App (${browserName(origin.headers.get("user-agent"))})`;
  const tokens = await startAppSession(deps, trx, { userId, method, isFull, browser, verifiedAt });
  await recordSecurityEvent(deps, trx, { ownerId: userId, event: "signed-in", detail: `${method}+app`, origin });
  await deps.onSignIn?.(trx, userId);
  if (!isNew) await notifyOwner(deps, trx, { userId, browser });
  return { kind: "signed-in", userId, cookies: [], tokens };
}

/** "trusted": left out in this browser. Sensitive changes ask for it all the same. */
async function findSecondStep(deps: AuthDeps, trx: Trx, { userId, method, origin }: SignInProof) {
  if (method === "sso" && deps.skipsTwoStepAfterSso) return "none";
  // A passkey is something one has, unlocked by something one knows or is.
  if (method === "passkey") return "none";
  if (!(await hasSecondFactor(trx, userId))) return "none";
  return (await findDevice(deps, trx, { userId, origin }))?.isTrusted ? "trusted" : "needed";
}

/** Starts a session without asking for a second factor: once that was checked. */
export async function startSession(
  deps: AuthDeps,
  trx: Trx,
  { userId, method, origin, isNew = method === "sign-up", verifiedAt = Date.now(), factor, trustMs }: StartedSession,
): Promise<string[]> {
  const before = await readSessionToken(deps, origin.headers);
  if (before !== undefined) await endSession(trx, before);
  const browser = browserName(origin.headers.get("user-agent"));
  const isKnown = (await findDevice(deps, trx, { userId, origin })) !== undefined;
  const { token } = await insertSession(trx, { userId, method, browser, engine: deps.engine, verifiedAt });
  const deviceCookie = await rememberDevice(deps, trx, { userId, origin, trustMs });
  const detail = factor ? `${method}+${factor}` : method;
  await recordSecurityEvent(deps, trx, { ownerId: userId, event: "signed-in", detail, origin });
  await deps.onSignIn?.(trx, userId);
  if (!isKnown && !isNew) await notifyOwner(deps, trx, { userId, browser });
  return [await sessionCookie(deps, token), deviceCookie];
}

async function notifyOwner(deps: AuthDeps, trx: Trx, { userId, browser }: { userId: string; browser: string }) {
  const { mailsSignIns, locale, timeZone } = await findPreferences(trx, userId);
  if (!mailsSignIns) return;
  const user = await findAddress(trx, userId);
  if (!user?.isConfirmed) return;
  const mail = { kind: "new-device", to: user.email, browser, at: Date.now(), locale, timeZone } as const;
  await deps.enqueueMail(mail, trx);
}

/** The sign-in that waits for the second factor in this browser. */
export async function findChallenge(
  { isSecure }: AuthDeps,
  trx: Db | Trx,
  headers: Headers,
): Promise<Challenge | undefined> {
  const token = readHostCookie(headers, cookieName, isSecure);
  if (!token) return undefined;
  const row = await trx
    .selectFrom("sign_in_challenge")
    .selectAll()
    .where("token_hash", "=", hashToken(token))
    .where("expires_at", ">", Date.now())
    .executeTakeFirst();
  return row && { hash: row.token_hash, userId: row.owner_id, method: readMethod(row.method) };
}

/** Uses up a challenge. Returns the cookie to set. */
export async function endChallenge({ isSecure }: AuthDeps, trx: Trx, { hash }: Challenge): Promise<string> {
  await trx.deleteFrom("sign_in_challenge").where("token_hash", "=", hash).execute();
  return httpOnlyCookie(cookieName, "", { seconds: 0, isSecure });
}
