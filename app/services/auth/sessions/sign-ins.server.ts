import { createHash, randomBytes } from "node:crypto";

import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

import { hasSecondFactor } from "./account-factor.server.ts";
import { browserName } from "./browser-name.ts";
import type { Devices } from "./devices.server.ts";
import { endSession, insertSession, readMethod, readSessionToken, sessionCookie } from "./session-rows.server.ts";
import type { SignInMethod } from "./session-rows.server.ts";

/** A user proved who they are in one way. */
export type SignInProof = {
  userId: string;
  method: SignInMethod;
  origin: RequestOrigin;
  /** The account was created by this request: its owner needs no mail about a new browser. */
  isNew?: boolean;
};

export type SignInOutcome =
  | { kind: "signed-in"; userId: string; cookies: string[] }
  /** The cookie names the sign-in that waits for the second factor, which /auth/verify asks for. */
  | { kind: "second-factor"; cookies: string[] }
  /** The operator blocked the account. */
  | { kind: "blocked" };

export type SignIns = {
  /**
   * Every way in ends here, in the transaction in which the proof was checked. Asks for the second factor if the account has one, the
   * proof is not a passkey, and the browser is not trusted.
   */
  completeSignIn(trx: Trx, proof: SignInProof): Promise<SignInOutcome>;
  /** Starts a session without asking for a second factor: once that was checked. */
  startSession(trx: Trx, proof: SignInProof & Partial<CheckedFactor>): Promise<string[]>;
  /** The id of the request's browser, if it signed in to this account before. */
  findBrowserId(trx: Db | Trx, of: { userId: string; origin: RequestOrigin }): Promise<string | undefined>;
  /** The sign-in that waits for the second factor in this browser. */
  findChallenge(trx: Db | Trx, headers: Headers): Promise<Challenge | undefined>;
  /** Uses up a challenge. Returns false if another request did. */
  takeChallenge(trx: Trx, challenge: Challenge): Promise<boolean>;
  /** Deletes the cookie of a challenge. */
  clearChallengeCookie: string;
};

/** The second factor that was checked. `trustMs`: for how long the browser needs none. */
export type CheckedFactor = { factor: SecondFactorKind; trustMs: number | undefined };

export type SecondFactorKind = "code" | "backup-code" | "passkey";

type StartedSession = SignInProof & Partial<CheckedFactor> & { verifiedAt?: number };

export type Challenge = { hash: string; userId: string; method: SignInMethod };

/** Runs in the transaction that starts a session. */
export type OnSignIn = (trx: Trx, userId: string) => Promise<void>;

type SignInsDeps = {
  auth: BetterAuth;
  engine: Engine;
  isSecure: boolean;
  devices: Devices;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
  onSignIn?: OnSignIn | undefined;
  /** The provider of single sign-on asks for a second factor itself. */
  skipsTwoStepAfterSso: boolean;
};

const cookieName = "meishi.challenge";
const challengeSeconds = 10 * 60;

export function createSignIns({ auth, engine, isSecure, devices, ...deps }: SignInsDeps): SignIns {
  const name = hostCookieName(cookieName, isSecure);

  async function completeSignIn(trx: Trx, proof: SignInProof): Promise<SignInOutcome> {
    if (await isBlocked(trx, proof.userId)) return { kind: "blocked" };
    const secondStep = await findSecondStep(trx, proof);
    if (secondStep !== "needed") {
      const verifiedAt = secondStep === "trusted" ? 0 : Date.now();
      return { kind: "signed-in", userId: proof.userId, cookies: await startSession(trx, { ...proof, verifiedAt }) };
    }
    const token = randomBytes(24).toString("base64url");
    const expires_at = Date.now() + challengeSeconds * 1000;
    const { userId: owner_id, method } = proof;
    // One at a time per account and browser is enough; the table stays small.
    await trx.deleteFrom("sign_in_challenge").where("expires_at", "<", Date.now()).execute();
    await trx
      .insertInto("sign_in_challenge")
      .values({ token_hash: hashToken(token), owner_id, method, expires_at })
      .execute();
    return {
      kind: "second-factor",
      cookies: [`${name}=${token}; HttpOnly; ${hostCookieAttributes(challengeSeconds, isSecure)}`],
    };
  }

  /** "trusted": left out in this browser. Sensitive changes ask for it all the same. */
  async function findSecondStep(trx: Trx, { userId, method, origin }: SignInProof) {
    if (method === "sso" && deps.skipsTwoStepAfterSso) return "none";
    // A passkey is something one has, unlocked by something one knows or is.
    if (method === "passkey") return "none";
    if (!(await hasSecondFactor(trx, userId))) return "none";
    return (await devices.findDevice(trx, { userId, origin }))?.isTrusted ? "trusted" : "needed";
  }

  async function startSession(
    trx: Trx,
    { userId, method, origin, isNew = method === "sign-up", verifiedAt = Date.now(), ...checked }: StartedSession,
  ) {
    const { factor, trustMs } = checked;
    const before = await readSessionToken(auth, origin.headers);
    if (before !== undefined) await endSession(trx, before);
    const browser = browserName(origin.headers.get("user-agent"));
    const isKnown = (await devices.findDevice(trx, { userId, origin })) !== undefined;
    const token = await insertSession(trx, { userId, method, browser, engine, verifiedAt });
    const deviceCookies = await devices.rememberDevice(trx, { userId, origin, ...(trustMs && { trustMs }) });
    const detail = factor ? `${method}+${factor}` : method;
    await deps.securityEvents.record(trx, { ownerId: userId, event: "signed-in", detail, origin });
    await deps.onSignIn?.(trx, userId);
    if (!isKnown && !isNew) await notifyOwner(trx, { userId, browser });
    return [await sessionCookie(auth, token), ...deviceCookies];
  }

  async function notifyOwner(trx: Trx, { userId, browser }: { userId: string; browser: string }) {
    const { mailsSignIns, locale, timeZone } = await findPreferences(trx, userId);
    if (!mailsSignIns) return;
    const user = await findAddress(trx, userId);
    if (!user?.isConfirmed) return;
    const mail = { kind: "new-device", to: user.email, browser, at: Date.now(), locale, timeZone } as const;
    await deps.enqueueMail(mail, trx);
  }

  async function findChallenge(trx: Db | Trx, headers: Headers) {
    const cookies = (headers.get("cookie") ?? "").split(/; ?/);
    const token = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    if (!token) return undefined;
    const row = await trx
      .selectFrom("sign_in_challenge")
      .selectAll()
      .where("token_hash", "=", hashToken(token))
      .where("expires_at", ">", Date.now())
      .executeTakeFirst();
    return row && { hash: row.token_hash, userId: row.owner_id, method: readMethod(row.method) };
  }

  return {
    completeSignIn,
    startSession,
    findBrowserId: async (trx, of) => (await devices.findDevice(trx, of))?.id,
    findChallenge,
    takeChallenge: async (trx, { hash }) => {
      const { numDeletedRows } = await trx
        .deleteFrom("sign_in_challenge")
        .where("token_hash", "=", hash)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    clearChallengeCookie: `${name}=; HttpOnly; ${hostCookieAttributes(0, isSecure)}`,
  };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
