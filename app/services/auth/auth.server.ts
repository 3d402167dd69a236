import { setTimeout as pause } from "node:timers/promises";

import { sql } from "kysely";

import { deleteInParts } from "#app/services/jobs/long-work.server.ts";

import * as appLinks from "./apps/app-links.server.ts";
import * as appSessions from "./apps/app-sessions.server.ts";
import * as appUsers from "./apps/app-users.server.ts";
import {
  hashNetwork,
  listSecurityEvents,
  recordSecurityEvent,
  sweepSecurityEvents,
} from "./audit/security-events.server.ts";
import { createAuthDeps } from "./auth-deps.server.ts";
import type { AuthDeps, AuthOptions } from "./auth-deps.server.ts";
import * as emailChanges from "./emails/email-changes.server.ts";
import { sendEmailConfirmation } from "./emails/email-confirmations.server.ts";
import * as emailRestores from "./emails/email-restores.server.ts";
import * as emailSignIns from "./emails/email-sign-ins.server.ts";
import * as invitations from "./emails/invitations.server.ts";
import * as signUps from "./emails/sign-ups.server.ts";
import * as authenticatorApps from "./factors/authenticator-apps.server.ts";
import * as passkeySignIns from "./factors/passkey-sign-ins.server.ts";
import * as passkeys from "./factors/passkeys.server.ts";
import * as secondFactors from "./factors/second-factors.server.ts";
import * as secondSteps from "./factors/second-steps.server.ts";
import * as connections from "./oauth/connections.server.ts";
import * as oauthCallbacks from "./oauth/oauth-callbacks.server.ts";
import { beginState, takeState } from "./oauth/oauth-states.server.ts";
import * as passwordChanges from "./passwords/password-changes.server.ts";
import * as passwordResets from "./passwords/password-resets.server.ts";
import { findKnownDevice } from "./sessions/devices.server.ts";
import * as handedOver from "./sessions/handed-over.server.ts";
import * as identityChecks from "./sessions/identity-checks.server.ts";
import * as ownSessions from "./sessions/own-sessions.server.ts";
import * as sessions from "./sessions/sessions.server.ts";
import { timeValue } from "./user-rows.server.ts";
import * as wallets from "./wallets/wallets.server.ts";

/** What other folders may call: of these modules, the functions that take `AuthDeps` first. */
const functions = {
  ...appLinks,
  ...appSessions,
  ...appUsers,
  ...emailChanges,
  ...emailRestores,
  ...emailSignIns,
  ...invitations,
  ...signUps,
  ...authenticatorApps,
  ...passkeySignIns,
  ...passkeys,
  ...secondFactors,
  ...secondSteps,
  ...connections,
  ...oauthCallbacks,
  ...passwordChanges,
  ...passwordResets,
  ...handedOver,
  ...identityChecks,
  ...ownSessions,
  ...sessions,
  ...wallets,
  beginState,
  takeState,
  findKnownDevice,
  findUserId,
  recordSecurityEvent,
  sendEmailConfirmation,
  sweep,
};

type TakesDeps = (deps: AuthDeps, ...rest: never[]) => unknown;

/** The functions that take `AuthDeps` first, without that parameter. */
type Bound<Functions> = {
  [Name in keyof Functions as Functions[Name] extends TakesDeps ? Name : never]: Functions[Name] extends (
    deps: AuthDeps,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

function bind<Functions extends object>(deps: AuthDeps, given: Functions): Bound<Functions> {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === "function" ? value.bind(undefined, deps) : value,
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names
  return Object.fromEntries(entries) as Bound<Functions>;
}

export type Auth = ReturnType<typeof createAuth>;

/**
 * Accounts, and the ways to sign in to them. Callers pass addresses trimmed and in lower case; returned cookies are values for Set-Cookie.
 * Nothing here is rate-limited: callers count attempts first. `minResponseMs`: the shortest response time for a request about an address, so
 * that the time doesn't reveal whether it has an account.
 */
export function createAuth({ minResponseMs = 400, ...options }: AuthOptions & { minResponseMs?: number }) {
  const deps = createAuthDeps(options);
  const bound = bind(deps, functions);
  const inEqualTime =
    <Input, Result>(work: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      const [result] = await Promise.all([work(input), pause(minResponseMs)]);
      return result;
    };
  return {
    ...bound,
    signUp: inEqualTime(bound.signUp),
    resendConfirmation: inEqualTime(bound.resendConfirmation),
    requestReset: inEqualTime(bound.requestReset),
    requestEmailChange: inEqualTime(bound.requestEmailChange),
    requestEmailSignIn: inEqualTime(bound.requestEmailSignIn),
    signUpFromApp: inEqualTime(bound.signUpFromApp),
    resendAppSignUp: inEqualTime(bound.resendAppSignUp),
    requestAppLink: inEqualTime(bound.requestAppLink),
    canUsePasskeys: bound.canUsePasskeys(),
    hasWallets: deps.hasWallets,
    providers: deps.providers,
    /** RFC 7517: the keys that the access tokens of apps are signed with. */
    keySet: deps.accessTokens.keySet,
    securityEvents: bind(deps, { list: listSecurityEvents, networkOf: hashNetwork }),
  };
}

/** The id of the account with this address. For the log only: a response to a visitor must not depend on it. */
async function findUserId({ auth }: AuthDeps, email: string): Promise<string | undefined> {
  const { internalAdapter } = await auth.$context;
  return (await internalAdapter.findUserByEmail(email))?.user.id;
}

/** Tables whose rows end at `expires_at`, with their primary keys. */
const expiringTables = [
  ["email_change", "owner_id"],
  ["sign_up_draft", "attempt"],
  ["sign_in_challenge", "token_hash"],
  ["identity_code", "owner_id"],
  ["replaced_token", "token_hash"],
  ["email_sign_in", "token_hash"],
  ["handed_over_session", "session_id"],
  ["app_session", "session_id"],
  ["refresh_token", "token_hash"],
  ["app_link", "token_hash"],
  ["passkey_challenge", "challenge"],
] as const;

/** Deletes expired sessions, links and drafts, and old security events. */
async function sweep(deps: AuthDeps): Promise<void> {
  const { db } = deps;
  const isAuthRowOver = sql`"expiresAt" < ${timeValue(deps.engine, Date.now())}`;
  for (const from of ["session", "verification"]) await deleteInParts(db, { from, key: ["id"], where: isAuthRowOver });
  const isOver = sql`expires_at < ${Date.now()}`;
  for (const [from, key] of expiringTables) await deleteInParts(db, { from, key: [key], where: isOver });
  await deleteInParts(db, {
    from: "invitation",
    key: ["id"],
    where: sql`expires_at < ${Date.now() - invitations.listedMs}`,
  });
  await sweepSecurityEvents(deps);
}
