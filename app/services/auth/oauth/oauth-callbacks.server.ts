import { createHash } from "node:crypto";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { takeInvitationOf } from "#app/services/auth/emails/invitations.server.ts";
import type { SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { deleteUser, findAddressOwner, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { shortened } from "#app/services/base/plain-text.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import {
  findConnection,
  insertConfirmedUser,
  insertConnection,
  listConnectionRows,
  reportConnection,
  updateConnectionTokens,
} from "./connection-rows.server.ts";
import { findIdentity, readTokenIdentity, withTimeLimit } from "./identities.server.ts";
import type { Identity } from "./identities.server.ts";
import { beginState, takeState } from "./oauth-states.server.ts";
import type { Provider, ProviderId } from "./providers.server.ts";

type OAuthRequest = {
  provider: Provider;
  /** The account to connect. Without one, its user signs in. */
  userId?: string | undefined;
  /** The path to open afterwards. */
  returnTo?: string | undefined;
  headers: Headers;
};

type OAuthCallback = {
  /** "google", as in the path of the callback. */
  provider: string;
  /** See `readCallbackParameters`. */
  parameters: URLSearchParams;
  /** Reads the user who is signed in in this browser. */
  findViewerId: () => Promise<string | undefined>;
} & RequestOrigin;

export type OAuthResult =
  | { kind: "signed-in"; userId: string; cookies: string[]; isNew: boolean; returnTo: string | undefined }
  | { kind: "second-factor"; cookies: string[]; returnTo: string | undefined }
  | {
      kind: "connected";
      provider: ProviderId;
      identity: Pick<Identity, "name" | "picture" | "profileUrl">;
      returnTo: string | undefined;
    }
  | { kind: "failed"; reason: OAuthFailure; provider: ProviderId; isConnecting: boolean; returnTo: string | undefined }
  /** No request of this browser waits for the callback. */
  | { kind: "unknown-state" };

export type OAuthFailure =
  /** The user canceled at the provider. */
  | "canceled"
  | "unreachable"
  | "sign_in_failed"
  | "account_blocked"
  /** The provider sent no address, no valid one, or doesn't say that it belongs to its user. */
  | "email_not_verified"
  /** The address has an account, whose owner must sign in first to connect the provider. */
  | "account_exists"
  /** New accounts need an invitation for their address, or there are none. */
  | "invitation_required"
  | "sign_up_closed"
  /** The provider's account is connected to another user. */
  | "connected_elsewhere"
  /** The user has connected another account of the provider. */
  | "connected_before"
  /** Another user, or none, is signed in now. */
  | "signed_out";

const redirectUri = ({ baseUrl }: AuthDeps, id: ProviderId) => `${baseUrl}/api/auth/callback/${id}`;

/**
 * Begins a sign-in, or with `userId` the connection of an account at the provider. Returns the address at the provider to open, or
 * undefined if the provider can't be reached. The protocols are better-auth's; what an identity means is decided here, in the transaction
 * that also starts the session.
 */
export async function beginOAuth(
  deps: AuthDeps,
  { provider, ...request }: OAuthRequest,
): Promise<{ location: string; cookies: string[] } | undefined> {
  try {
    const { protocol, nonce: kind } = await withTimeLimit(provider.load());
    const { state, codeVerifier, nonce, cookies } = await beginState(deps, { ...request, provider: provider.id });
    const url = await protocol.createAuthorizationURL({
      state,
      codeVerifier,
      redirectURI: redirectUri(deps, provider.id),
      ...(kind === "by-protocol" && { idTokenNonce: nonce }),
    });
    if (kind === "sent") url.searchParams.set("nonce", nonce);
    return { location: url.href, cookies };
  } catch (error) {
    deps.log.error({ err: error, provider: provider.id }, "a sign-in with a provider could not be begun");
    return undefined;
  }
}

/** Finishes what `beginOAuth` began in this browser. */
export async function finishOAuth(
  deps: AuthDeps,
  { provider: id, parameters, findViewerId, ...origin }: OAuthCallback,
): Promise<OAuthResult> {
  const { log } = deps;
  const provider = deps.providers.find(id);
  const state = await takeState(deps, { state: parameters.get("state") ?? "", provider: id, headers: origin.headers });
  if (!provider || !state) return { kind: "unknown-state" };
  const { returnTo, userId } = state;
  const isConnecting = userId !== undefined;
  const failed = (reason: OAuthFailure): OAuthResult => ({
    kind: "failed",
    reason,
    provider: provider.id,
    isConnecting,
    returnTo,
  });
  // Nothing is exchanged for another user than the one who pressed the button.
  const isAllowed = async () => (isConnecting ? userId === (await findViewerId()) : provider.canSignIn);
  if (!(await isAllowed())) return failed("signed_out");
  const error = parameters.get("error");
  if (error) return failed(canceledErrors.has(error) ? "canceled" : "sign_in_failed");
  const found = await findIdentity(provider.load, {
    code: parameters.get("code") ?? "",
    codeVerifier: state.codeVerifier,
    nonce: state.nonce,
    redirectURI: redirectUri(deps, provider.id),
    user: parameters.get("user"),
    iss: parameters.get("iss"),
  });
  if (found.kind !== "found") {
    const isRefused = found.kind === "refused";
    const text = isRefused ? "a provider refused a sign-in" : "a provider could not be reached";
    log.warn({ provider: id, reason: reasonOf(found.cause) }, text);
    return failed(isRefused ? "sign_in_failed" : "unreachable");
  }
  // The provider may have taken seconds.
  if (!(await isAllowed())) return failed("signed_out");
  const request = { provider, identity: found.identity, origin };
  const decide = async () => (isConnecting ? connect(deps, { ...request, userId }) : signIn(deps, request));
  const result = await retryOnConflict(decide);
  if ("reason" in result && result.reason === "email_not_verified")
    log.warn({ provider: id, reason: found.identity.emailProblem }, "a provider's email address was refused");
  return "reason" in result ? failed(result.reason) : { ...result, returnTo };
}

/** Signs in with an ID token that a provider gave to an app. `nonce`: of the app, whose SHA-256 the token contains; "" without one. */
export async function signInWithIdToken(
  deps: AuthDeps,
  { provider, idToken, nonce, ...origin }: { provider: Provider; idToken: string; nonce: string } & RequestOrigin,
): Promise<SignInOutcome | { reason: OAuthFailure }> {
  const hashed = nonce && createHash("sha256").update(nonce).digest("hex");
  const found = await readTokenIdentity(provider.load, { idToken, nonce: hashed });
  if (found.kind !== "found") return { reason: found.kind === "refused" ? "sign_in_failed" : "unreachable" };
  return retryOnConflict(() => signIn(deps, { provider, identity: found.identity, origin }));
}

/** Another request with the same identity may win; the second attempt finds what it wrote. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return work();
  }
}

/** RFC 6749 §4.1.2.1, Apple, Facebook. */
const canceledErrors = new Set(["access_denied", "user_cancelled_authorize", "user_cancelled_login"]);

type Proven = { provider: Provider; identity: Identity; origin: RequestOrigin };

type SignInResult = SignInOutcome | { reason: OAuthFailure };

async function signIn(deps: AuthDeps, { provider, identity, origin }: Proven) {
  const method = toMethod(provider.id);
  const result = await transact(deps.db, async (trx): Promise<[SignInResult, boolean]> => {
    const found = await findOrCreateUser(deps, trx, { provider, identity });
    if ("reason" in found) return [found, false];
    const outcome = await completeSignIn(deps, trx, { ...found, method, origin });
    return [outcome, found.isNew];
  });
  const [outcome, isNew] = result;
  if ("reason" in outcome) return outcome;
  if (outcome.kind === "blocked") return { reason: "account_blocked" as const };
  return outcome.kind === "signed-in" ? { ...outcome, isNew } : outcome;
}

type FoundUser = { userId: string; isNew: boolean } | { reason: OAuthFailure };

async function findOrCreateUser(deps: AuthDeps, trx: Trx, proven: ProvenUser): Promise<FoundUser> {
  const { provider, identity } = proven;
  const connected = await findConnected(deps, trx, proven);
  if (connected) return connected;
  const { email, emailProblem, name, picture } = identity;
  if (email === undefined || emailProblem !== undefined) return { reason: "email_not_verified" };
  const found = await findAddressOwner(trx, email);
  // The link of its sign-up may be opened right now.
  if (found) await lockUser(trx, found.id);
  const owner = found && (await findAddressOwner(trx, email));
  // Another tab may just have created the account with this identity.
  if (owner && !owner.isReplaceable) return (await findConnected(deps, trx, proven)) ?? { reason: "account_exists" };
  const isInvited = await takeInvitationOf(deps, trx, email);
  const isOpen = deps.signUpPolicy === "open" || (provider.id === "sso" && deps.ssoCreatesAccounts);
  if (!isInvited && !isOpen)
    return { reason: deps.signUpPolicy === "invite" ? "invitation_required" : "sign_up_closed" };
  // A stranger may have signed up with the address first. That account must not get its owner's proof, and its password must not stay.
  if (owner) await deleteUser(trx, owner.id);
  const displayName = cleanName(name);
  const userId = await insertConfirmedUser(trx, { email, name: displayName, engine: deps.engine });
  await insertConnection(trx, { userId, providerId: provider.id, identity }, deps);
  if (picture) await deps.enqueueImage({ ownerId: userId, name: displayName, url: picture }, trx);
  return { userId, isNew: true };
}

type ProvenUser = Pick<Proven, "provider" | "identity">;

async function findConnected(deps: AuthDeps, trx: Trx, { provider, identity }: ProvenUser) {
  const known = await findConnection(trx, { providerId: provider.id, accountId: identity.accountId });
  if (!known) return undefined;
  if (!(await lockUser(trx, known.userId))) return { reason: "sign_in_failed" as const };
  await updateConnectionTokens(trx, { id: known.id, identity }, deps);
  return { userId: known.userId, isNew: false };
}

type Connected = {
  kind: "connected";
  provider: ProviderId;
  identity: Pick<Identity, "name" | "picture" | "profileUrl">;
};

async function connect(
  deps: AuthDeps,
  { provider, identity, origin, userId }: Proven & { userId: string },
): Promise<Connected | { reason: OAuthFailure }> {
  const { name, picture, profileUrl, accountId } = identity;
  const connected: Connected = { kind: "connected", provider: provider.id, identity: { name, picture, profileUrl } };
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, userId))) return { reason: "signed_out" };
    const known = await findConnection(trx, { providerId: provider.id, accountId });
    if (known && known.userId !== userId) return { reason: "connected_elsewhere" };
    if (known) {
      await updateConnectionTokens(trx, { id: known.id, identity }, deps);
      return connected;
    }
    const others = await listConnectionRows(trx, userId);
    if (others.some(({ providerId }) => providerId === provider.id)) return { reason: "connected_before" };
    await insertConnection(trx, { userId, providerId: provider.id, identity }, deps);
    await reportConnection(deps, trx, { userId, event: "account-linked", name: provider.name, origin });
    return connected;
  });
}

/** The parameters that we read, each once. Others are left out, such as Apple's `id_token`, which belongs in no URL. */
export function readCallbackParameters(given: Iterable<readonly [string, unknown]>): URLSearchParams {
  const read = new URLSearchParams();
  for (const [name, value] of given)
    if (knownParameters.has(name) && !read.has(name) && typeof value === "string") read.set(name, value);
  return read;
}

const knownParameters = new Set(["code", "error", "state", "iss", "user"]);

function toMethod(provider: ProviderId): SignInMethod {
  return provider === "google" || provider === "apple" ? provider : "sso";
}

/** A line of at most 50 characters, as on a profile. */
function cleanName(name: string): string {
  const line = name
    .slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return shortened(line, 50);
}

/** Without the response, which may hold a token. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? `${cause.name}: ${cause.message.slice(0, 200)}` : "an unexpected response";
}
