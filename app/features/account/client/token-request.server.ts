import { randomUUID } from "node:crypto";

import { z } from "zod";

import { findPasswordError, limitSignUpForm, signIn } from "#app/features/account/data.server.ts";
import { limits } from "#app/features/account/rules.ts";
import { messages } from "#app/features/account/messages.ts";
import { credentialsForm } from "#app/features/account/schema.ts";
import { ClientRefusal } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";

import {
  describeSession,
  describeSignUp,
  limitProvider,
  readBody,
  refusal,
  requireSession,
  respondToSignIn,
  tooMany,
} from "./client-response.server.ts";
import { challengeFields, readRedirect, requireEmail, requirePasswords } from "./redirect-links.server.ts";

/**
 * `POST /token`: a session for a password, a refresh token, the code that the app got in its address, an ID token of a provider, or a message
 * that a wallet has signed.
 */
export function respondToToken(call: ClientCall): Promise<Response> {
  switch (call.query.get("grant_type")) {
    case "password":
      return respondToPassword(call);
    case "refresh_token":
      return respondToRefresh(call);
    case "pkce":
      return respondToCode(call);
    case "id_token":
      return respondToIdToken(call);
    case "web3":
      return respondToWallet(call);
    default:
      throw refusal(400, "validation_failed", "grant_type must be password, refresh_token, pkce, id_token or web3.");
  }
}

const wrongPassword = () => refusal(400, "invalid_credentials", "Invalid login credentials");

async function respondToPassword(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  requirePasswords(services);
  const { email, password } = await readBody(call, credentialsForm);
  const outcome = await signIn(services, { email, password, ...origin, isApp: true });
  if (outcome.kind === "refused" || outcome.kind === "blocked")
    logSecurityEvent(services.log, { event: "sign-in-refused", account: await services.auth.findUserId(email) });
  return respondToSignIn(call, outcome, wrongPassword());
}

async function respondToRefresh(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  const { refresh_token: refreshToken } = await readBody(call, z.object({ refresh_token: z.string() }));
  const sessionId = await services.auth.findRefreshSession(refreshToken);
  const limited =
    sessionId !== undefined &&
    (await services.rateLimits.consume([{ limit: limits.refreshesOfSession, subject: sessionId }]));
  if (limited) throw tooMany(services, { kind: "rate-limited", ...limited });
  const result = await services.auth.refreshAppSession({ refreshToken, ...origin });
  if (result.kind === "refreshed") return Response.json(await describeSession(services, result));
  if (result.kind === "reused")
    throw refusal(400, "refresh_token_already_used", "This refresh token was used before, so its session has ended.");
  if (result.kind === "ended") throw refusal(400, "session_not_found", "This session has ended. Sign in again.");
  throw refusal(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
}

async function respondToCode(call: ClientCall): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await readBody(
    call,
    z.object({ auth_code: z.string(), code_verifier: z.string().max(200) }),
  );
  const outcome = await call.services.auth.exchangeAppCode({ code, verifier, ...call.origin, isApp: true });
  return respondToSignIn(call, outcome, refusal(403, "flow_state_not_found", "This code is wrong, used or expired."));
}

const idTokenBody = z.object({
  provider: z.enum(["google", "apple"]),
  id_token: z.string().max(10_000),
  nonce: z.string().max(200).nullish(),
});

async function respondToIdToken(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  const { provider: id, id_token: idToken, nonce } = await readBody(call, idTokenBody);
  const provider = services.auth.providers.find(id);
  if (!provider) throw refusal(400, "validation_failed", "Unsupported provider: provider is not enabled");
  await limitProvider(call);
  const given = { provider, idToken, nonce: nonce ?? "" };
  const outcome = await services.auth.signInWithIdToken({ ...given, ...origin, isApp: true });
  if (!("reason" in outcome)) return respondToSignIn(call, outcome, wrongIdToken());
  if (outcome.reason === "account_exists")
    throw refusal(422, "email_exists", "This address has an account. Sign in to it first, and connect the provider.");
  if (outcome.reason === "invitation_required" || outcome.reason === "sign_up_closed") throw signUpRefused();
  if (outcome.reason === "account_blocked") throw refusal(403, "user_banned", messages.accountBlocked.title);
  throw wrongIdToken();
}

const wrongIdToken = () => refusal(400, "bad_jwt", "This ID token isn't valid here.");

const walletBody = z.object({
  chain: z.literal("ethereum"),
  message: z.string().max(5_000),
  signature: z.string().max(200),
});

async function respondToWallet(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  const { auth, config } = services;
  if (!auth.hasWallets) throw refusal(422, "web3_provider_disabled", "This site has no sign-in with wallets.");
  const { message, signature } = await readBody(call, walletBody);
  await limitProvider(call);
  // "myapp://callback" has no host on the network.
  const origins = [config.baseUrl, ...config.appOrigins].filter((address) => /^https?:/.test(address));
  const hosts = origins.flatMap((address) => URL.parse(address)?.host || []);
  const outcome = await auth.signInWithSignedMessage({ message, signature, hosts, ...origin, isApp: true });
  const unknown = outcome.kind === "unknown-wallet";
  if (unknown)
    throw refusal(422, "user_not_found", "No account is connected to this wallet. Connect it on the site first.");
  return respondToSignIn(
    call,
    outcome,
    refusal(400, "invalid_credentials", "The message or its signature isn't valid."),
  );
}

const signUpBody = z.object({
  ...challengeFields,
  email: credentialsForm.shape.email,
  password: credentialsForm.shape.password,
  data: z.record(z.string(), z.unknown()).optional(),
});

/** `POST /signup`: mails a link to confirm the address. The response is the same whether it has an account or not. */
export async function respondToSignUp(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  const { auth, rateLimits } = services;
  requirePasswords(services);
  requireEmail(services);
  if (services.config.signUp !== "open") throw signUpRefused();
  const { email, password, data, ...challenge } = await readBody(call, signUpBody);
  refuseUserData(data);
  const redirect = readRedirect(call, challenge);
  const limited = await limitSignUpForm(services, origin);
  if (limited) throw tooMany(services, limited);
  const problem = await findPasswordError(services, { password, email });
  if (problem !== undefined) throw weakPassword(problem);
  const refused = await rateLimits.consume(
    [
      { limit: limits.signUpsFromNetwork, subject: networkOf(origin.address) },
      { limit: limits.mailsFromNetwork, subject: networkOf(origin.address) },
      { limit: limits.mailsToAddress, subject: email },
    ],
    { account: () => auth.findUserId(email) },
  );
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused }, "over_email_send_rate_limit");
  await auth.signUpFromApp({ email, password, ...redirect });
  // Not the account's own ID, which would tell a new account from a known one.
  return Response.json(describeSignUp({ id: randomUUID(), email, at: new Date(services.clock()).toISOString() }));
}

function signUpRefused() {
  return refusal(422, "signup_disabled", "Signups not allowed for this instance");
}

export function weakPassword(message: string) {
  const reasons = message === messages.passwordTooShort ? ["length"] : ["pwned"];
  return new ClientRefusal(422, { code: "weak_password", message, weak_password: { message, reasons } });
}

/** What an app wants to know about its users belongs in their profile, which has a place for each of its fields. */
export function refuseUserData(data: Record<string, unknown> | undefined): void {
  if (data && Object.keys(data).length > 0)
    throw refusal(
      422,
      "validation_failed",
      "data: this site stores no user metadata. Write to the table profiles instead.",
    );
}

/** `POST /logout`: ends this session, all others, or all of the account, in browsers too. */
export async function respondToLogout(given: ClientCall): Promise<Response> {
  const call = requireSession(given);
  const wanted = call.query.get("scope") ?? "global";
  const scope = (["local", "others", "global"] as const).find((one) => one === wanted);
  if (!scope) throw refusal(400, "validation_failed", "scope must be global, local or others.");
  const { viewer, isFull } = call.session;
  // The password alone doesn't sign the owner out elsewhere.
  await call.services.auth.endAppSessions({ viewer, scope: isFull ? scope : "local", origin: call.origin });
  return new Response(null, { status: 204 });
}
