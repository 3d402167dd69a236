import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";
import type { Logger } from "pino";

import { createBetterAuth } from "./better-auth.server.ts";
import type { EnqueueMail } from "./better-auth.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import { createSecurityEvents } from "./audit/security-events.server.ts";
import type { SecurityEvents } from "./audit/security-events.server.ts";
import { createEmailChanges } from "./emails/email-changes.server.ts";
import type { EmailChanges } from "./emails/email-changes.server.ts";
import { createEmailConfirmations } from "./emails/email-confirmations.server.ts";
import type { EmailConfirmations } from "./emails/email-confirmations.server.ts";
import { createEmailSignIns } from "./emails/email-sign-ins.server.ts";
import type { EmailSignIns } from "./emails/email-sign-ins.server.ts";
import { createFactors } from "./factors/factors.server.ts";
import type { FactorServices } from "./factors/factors.server.ts";
import { createOAuth } from "./oauth/oauth.server.ts";
import type { OAuth, OAuthConfig } from "./oauth/oauth.server.ts";
import type { EnqueuePicture } from "./oauth/oauth-callbacks.server.ts";
import { createPasswordChanges } from "./passwords/password-changes.server.ts";
import type { PasswordChanges } from "./passwords/password-changes.server.ts";
import { createPasswordHashes } from "./passwords/password-hashes.server.ts";
import type { Argon2Cost } from "./passwords/password-hashes.server.ts";
import { createPasswordResets } from "./passwords/password-resets.server.ts";
import type { PasswordResets } from "./passwords/password-resets.server.ts";
import { createDevices } from "./sessions/devices.server.ts";
import { createIdentityChecks } from "./sessions/identity-checks.server.ts";
import type { IdentityChecks } from "./sessions/identity-checks.server.ts";
import { createOwnSessions } from "./sessions/own-sessions.server.ts";
import type { OwnSessions } from "./sessions/own-sessions.server.ts";
import { createSignIns } from "./sessions/sign-ins.server.ts";
import type { OnSignIn } from "./sessions/sign-ins.server.ts";
import { createSessions } from "./sessions/sessions.server.ts";
import type { Sessions } from "./sessions/sessions.server.ts";
import { createSignUps } from "./emails/sign-ups.server.ts";
import type { SignUps } from "./emails/sign-ups.server.ts";
import { timeValue } from "./user-rows.server.ts";

/**
 * Accounts with email and password. Callers pass addresses trimmed and in lower case; returned cookies are values for Set-Cookie.
 * Nothing here is rate-limited: callers count attempts first.
 */
export type Auth = Sessions &
  SignUps &
  PasswordResets &
  EmailChanges &
  EmailSignIns &
  PasswordChanges &
  OAuth &
  IdentityChecks &
  OwnSessions &
  FactorServices &
  Pick<EmailConfirmations, "sendEmailConfirmation"> & {
    /** The id of the account with this address. For the log only: a response to a visitor must not depend on it. */
    findUserId(email: string): Promise<string | undefined>;
    /** Records what happened to an account, in the transaction of the change. */
    recordSecurityEvent: SecurityEvents["record"];
    /** What happened to the security of an account. */
    securityEvents: Pick<SecurityEvents, "list" | "networkOf">;
    /** The id of this browser, if it signed in to the account with this address before. For rate limits only. */
    findKnownDevice(of: { email: string; headers: Headers }): Promise<string | undefined>;
    /** Deletes expired sessions, links and drafts. */
    sweep(): Promise<void>;
  };

/** Tables whose rows end at `expires_at`, with their primary keys. */
const expiringTables = [
  ["email_change", "owner_id"],
  ["sign_up_draft", "attempt"],
  ["sign_in_challenge", "token_hash"],
  ["identity_code", "owner_id"],
  ["replaced_token", "token_hash"],
  ["email_sign_in", "token_hash"],
  ["passkey_challenge", "challenge"],
] as const;

type AuthDeps = {
  db: Db;
  engine: Engine;
  config: OAuthConfig;
  secret: string;
  log: Logger;
  enqueueMail: EnqueueMail;
  enqueuePicture: EnqueuePicture;
  /** The shortest response time for a request about an address, so that the time doesn't reveal whether it has an account. */
  minResponseMs?: number;
  /** Of new password hashes; by default the one that OWASP recommends. */
  passwordCost?: Argon2Cost;
  /** Called after the commit of what concerns an account's security, such as the end of a session. */
  onSecurityEvent?: (ownerId: string) => void;
  onSignIn?: OnSignIn;
};

export function createAuth({ db, engine, config, secret, log, enqueueMail, ...deps }: AuthDeps): Auth {
  const { enqueuePicture, minResponseMs = 400, passwordCost: cost, onSecurityEvent, onSignIn } = deps;
  const passwords = createPasswordHashes(cost && { cost });
  const auth = createBetterAuth({ db, engine, baseUrl: config.baseUrl, secret, log, passwords });
  const isSecure = config.baseUrl.startsWith("https:");
  const securityEvents = createSecurityEvents({ db, secret, onRecorded: onSecurityEvent });
  const devices = createDevices({ isSecure });
  const skipsTwoStepAfterSso = config.providers?.sso?.skipsTwoStep ?? false;
  const shared = { auth, engine, securityEvents, enqueueMail };
  const signIns = createSignIns({ ...shared, isSecure, devices, onSignIn, skipsTwoStepAfterSso });
  const sessions = createSessions({ auth, db, engine, log, passwords, signIns, securityEvents });
  const signUps = createSignUps({ auth, db, engine, secret, isSecure, signIns, enqueueMail });
  const resets = createPasswordResets({ auth, db, engine, securityEvents, enqueueMail });
  const emailChanges = createEmailChanges({ auth, db, engine, secret, securityEvents, enqueueMail });
  const passwordChanges = createPasswordChanges({ auth, db, engine, securityEvents, enqueueMail });
  const factors = createFactors({ auth, db, baseUrl: config.baseUrl, secret, signIns, securityEvents, enqueueMail });
  const emailSignIns = createEmailSignIns({ db, engine, secret, isSecure, signIns, enqueueMail });
  const ownConfirmations = createEmailConfirmations({ auth, secret, enqueueMail });
  const inEqualTime =
    <Input, Result>(work: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      const [result] = await Promise.all([work(input), pause(minResponseMs)]);
      return result;
    };

  async function findUserId(email: string) {
    const { internalAdapter } = await auth.$context;
    return (await internalAdapter.findUserByEmail(email))?.user.id;
  }

  async function sweep() {
    const isAuthRowOver = sql`"expiresAt" < ${timeValue(engine, Date.now())}`;
    for (const from of ["session", "verification"])
      await deleteInParts(db, { from, key: ["id"], where: isAuthRowOver });
    const isOver = sql`expires_at < ${Date.now()}`;
    for (const [from, key] of expiringTables) await deleteInParts(db, { from, key: [key], where: isOver });
    await securityEvents.sweep();
  }

  return {
    ...sessions,
    ...emailChanges,
    requestEmailChange: inEqualTime(emailChanges.requestEmailChange),
    ...emailSignIns,
    requestEmailSignIn: inEqualTime(emailSignIns.requestEmailSignIn),
    ...passwordChanges,
    ...factors.services,
    ...createOAuth({
      auth,
      isSecure,
      db,
      engine,
      config,
      secret,
      log,
      enqueueMail,
      enqueuePicture,
      signIns,
      securityEvents,
    }),
    ...createOwnSessions({ auth, db, securityEvents }),
    ...createIdentityChecks({ auth, db, secret, securityEvents, enqueueMail, factors }),
    ...signUps,
    sendEmailConfirmation: ownConfirmations.sendEmailConfirmation,
    checkConfirmation: async (link) =>
      (await ownConfirmations.checkEmailConfirmation(link)) ?? signUps.checkConfirmation(link),
    confirm: async (link) => (await ownConfirmations.confirmEmail(link)) ?? signUps.confirm(link),
    signUp: inEqualTime(signUps.signUp),
    resendConfirmation: inEqualTime(signUps.resendConfirmation),
    ...resets,
    requestReset: inEqualTime(resets.requestReset),
    recordSecurityEvent: securityEvents.record,
    securityEvents,
    findUserId,
    findKnownDevice: ({ email, headers }) => devices.findDeviceId(db, { email, origin: { headers } }),
    sweep,
  };
}
