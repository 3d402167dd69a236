import type { z } from "zod";

import { limits } from "#app/features/account/rules.ts";
import type { RateLimited } from "#app/features/account/data.server.ts";
import type { AppTokens } from "#app/services/auth/apps/app-sessions.server.ts";
import type { AppUser } from "#app/services/auth/apps/app-users.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { ClientRefusal } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall, ClientProblem } from "#app/services/client-api/client-route.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";

/** A call of an app that is signed in. */
export type SignedInCall = ClientCall & { session: NonNullable<ClientCall["session"]> };

/** A refusal in the form of the specification's client: it reads `code` and `message`. */
export function refusal(status: number, code: string, message: string): ClientRefusal {
  return new ClientRefusal(status, { code, message });
}

export function problemRefusal(problem: ClientProblem): ClientRefusal {
  switch (problem) {
    case "no-key":
      return refusal(
        401,
        "no_authorization",
        "Send this site's public key in the header apikey. It is shown at /docs#apps.",
      );
    case "token-malformed":
      return refusal(403, "bad_jwt", "This access token isn't one of this site.");
    case "token-expired":
      return refusal(403, "bad_jwt", "This access token has expired. Refresh the session.");
    case "token-ended":
      return refusal(403, "session_not_found", "This session has ended. Sign in again.");
    case "second-factor":
      return refusal(
        401,
        "insufficient_aal",
        "This account has two-step verification. Verify a factor first: for a sensitive change, in the last ten minutes.",
      );
    case "too-large":
      return refusal(413, "validation_failed", "The body is too large.");
    case "outcome-unknown":
      return refusal(503, "unexpected_failure", "This may have worked. Check before you send it again.");
    case "unavailable":
      return refusal(503, "unexpected_failure", "The server can't do this at the moment. Try again later.");
    case "internal":
      return refusal(500, "unexpected_failure", "Something went wrong. It was logged.");
  }
}

export function tooMany({ clock }: Services, { until }: RateLimited, code = "over_request_rate_limit"): ClientRefusal {
  return refusal(429, code, `Too many requests. Try again ${formatWait(until, clock())}.`);
}

/** Counts what a provider or a wallet has proved: each starts a session. */
export async function limitProvider({ services, origin }: ClientCall): Promise<void> {
  const attempt = { limit: limits.callbacksFromNetwork, subject: networkOf(origin.address) };
  const refused = await services.rateLimits.consume([attempt]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused });
}

/** The JSON body, as far as the schema names it. */
export async function readBody<Schema extends z.ZodType>({ c }: ClientCall, schema: Schema): Promise<z.output<Schema>> {
  const text = await c.req.text();
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw refusal(400, "bad_json", "The body isn't JSON.");
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const name = issue?.path.join(".") ?? "";
  throw refusal(400, "validation_failed", name ? `${name}: ${issue?.message}` : "The body isn't a JSON object.");
}

export function requireSession(call: ClientCall): SignedInCall {
  const { session } = call;
  if (!session) throw refusal(401, "no_authorization", "Sign in first.");
  return { ...call, session };
}

/** Responds with the session of an outcome, and the account's limits and blocks in the client's words. */
export async function respondToSignIn(
  { services }: ClientCall,
  outcome: SignInOutcome | { kind: "refused" } | RateLimited,
  refused: ClientRefusal,
): Promise<Response> {
  const { kind } = outcome;
  if (kind === "rate-limited") throw tooMany(services, outcome);
  if (kind === "blocked") throw refusal(403, "user_banned", "The operator of this site has blocked this account.");
  if (kind !== "signed-in" || !outcome.tokens) throw refused;
  const { tokens, userId } = outcome;
  logSecurityEvent(services.log, { event: "signed-in", account: userId });
  return Response.json(await describeSession(services, { tokens, userId }));
}

export async function describeSession(services: Services, { tokens, userId }: { tokens: AppTokens; userId: string }) {
  return { ...describeTokens(tokens), user: await findUser(services, userId) };
}

export function describeTokens({ accessToken, seconds, expiresAt, refreshToken }: AppTokens) {
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: seconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
  };
}

/** The user of a session, as the client stores it. */
export async function findUser({ auth }: Services, userId: string) {
  const user = await auth.findAppUser(userId);
  if (!user) throw problemRefusal("token-ended");
  return describeUser(user);
}

/** The ID of an account's authenticator app, of which it has one, and of one that is being set up. */
export const factorIds = { verified: "totp", unverified: "totp-new" } as const;

function describeUser(user: AppUser) {
  const { id, email, createdAt, updatedAt } = user;
  const own = user.hasPassword ? [{ provider: "email", accountId: id, connectedAt: Date.parse(createdAt) }] : [];
  const others = user.connections.map(({ providerId, ...rest }) => ({ provider: providerId, ...rest }));
  const identities = [...own, ...others].map(({ provider, accountId, connectedAt }) =>
    describeIdentity({ userId: id, provider, accountId, email, at: new Date(connectedAt).toISOString() }),
  );
  const providers = identities.map(({ provider }) => provider);
  const factor = {
    id: factorIds.verified,
    status: "verified",
    factor_type: "totp",
    friendly_name: "Authenticator app",
  };
  return {
    ...emptyUser({ id, email, at: createdAt }),
    email_confirmed_at: user.isConfirmed ? createdAt : null,
    confirmed_at: user.isConfirmed ? createdAt : null,
    ...(user.newEmail !== undefined && { new_email: user.newEmail }),
    app_metadata: { provider: providers[0] ?? "email", providers },
    user_metadata: { name: user.name, email },
    identities,
    factors: user.appSince === undefined ? [] : [{ ...factor, created_at: user.appSince, updated_at: user.appSince }],
    updated_at: updatedAt,
  };
}

type Identity = { userId: string; provider: string; accountId: string; email: string; at: string };

function describeIdentity({ userId, provider, accountId, email, at }: Identity) {
  const isEmail = provider === "email";
  return {
    // Of the address itself: it can't be unlinked.
    identity_id: isEmail ? userId : provider,
    id: accountId,
    user_id: userId,
    provider,
    identity_data: isEmail ? { email, sub: userId } : { sub: accountId },
    created_at: at,
    updated_at: at,
  };
}

/** A user who has to confirm the address first: the same for one that has an account already. `at`: ISO 8601. */
export function describeSignUp({ id, email, at }: { id: string; email: string; at: string }) {
  const identities = [describeIdentity({ userId: id, provider: "email", accountId: id, email, at })];
  return { ...emptyUser({ id, email, at }), confirmation_sent_at: at, identities };
}

function emptyUser({ id, email, at }: { id: string; email: string; at: string }) {
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: {},
    is_anonymous: false,
    created_at: at,
    updated_at: at,
  };
}
