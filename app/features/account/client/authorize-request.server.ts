import { z } from "zod";

import { limits } from "#app/features/account/rules.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

import { challengeFields, readRedirect, redirectToApp, redirectWithTokens } from "./redirect-links.server.ts";
import { limitProvider, readBody, refusal, tooMany } from "./client-response.server.ts";

const validMs = 60 * 60 * 1000;
const purpose = "app return";
const unsupported = () => refusal(400, "validation_failed", "Unsupported provider: provider is not enabled");

const methodSchema = z.enum(["google", "apple", "sso"]);

/**
 * What the callback has to know, signed because it travels in the address: where to lead, the challenge, until when, and the
 * hash of the browser's cookie.
 */
const callbackState = z.tuple([z.string(), z.string(), z.number(), z.string()]);

/** Ties the address of the callback to the browser that began: a stranger's would give the user's session to another app. */
const cookieName = "meishi.app_return";
const isSecure = ({ services }: ClientCall) => services.config.baseUrl.startsWith("https:");
const readBrowser = (call: ClientCall) =>
  readHostCookie(call.c.req.raw.headers, cookieName, isSecure(call)) || undefined;

/** `GET /authorize`: opens a provider in this browser, and then leads back to the app with a session. */
export async function respondToAuthorize(call: ClientCall): Promise<Response> {
  const { services, c, query, origin } = call;
  const { auth, rateLimits, sign, clock } = services;
  const provider = auth.providers.find(query.get("provider") ?? "");
  const method = methodSchema.safeParse(provider?.id).data;
  if (!provider?.canSignIn || method === undefined) throw unsupported();
  const challenge = z.object(challengeFields).safeParse(Object.fromEntries(query)).data;
  if (!challenge) throw refusal(400, "validation_failed", "code_challenge isn't a SHA-256 in base64url.");
  const redirect = readRedirect(call, challenge);
  const refused = await rateLimits.consume([
    { limit: limits.oauthStartsFromNetwork, subject: networkOf(origin.address) },
  ]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused });
  const browser = readBrowser(call) ?? newToken();
  const until = clock() + validMs;
  const value: z.input<typeof callbackState> = [redirect.redirectTo, redirect.challenge, until, hashToken(browser)];
  const state = signedText(sign, purpose, Buffer.from(JSON.stringify(value)).toString("base64url"));
  const returnTo = `/auth/v1/callback?${new URLSearchParams({ state })}`;
  const begun = await auth.beginOAuth({ provider, returnTo, headers: c.req.raw.headers });
  if (!begun) throw refusal(422, "unexpected_failure", `${provider.name} can't be reached. Try again later.`);
  const headers = new Headers({ location: begun.location });
  const cookie = { seconds: validMs / 1000, isSecure: isSecure(call) };
  for (const text of [...begun.cookies, httpOnlyCookie(cookieName, browser, cookie)])
    headers.append("set-cookie", text);
  return new Response(null, { status: 302, headers });
}

/** `GET /callback`: the user has just signed in in this browser, with each factor that the account has. Gives the app a session of its own. */
export async function respondToCallback(call: ClientCall): Promise<Response> {
  const { services, c, query, origin } = call;
  const { auth, sign, clock } = services;
  const text = readSignedText(sign, purpose, query.get("state") ?? "");
  const [redirectTo, challenge, until, browserHash] = text === undefined ? expired() : readCallbackState(text);
  if (hashToken(readBrowser(call) ?? "") !== browserHash) throw expired();
  await limitProvider(call);
  const { headers } = c.req.raw;
  const { viewer } = await auth.findViewer(headers);
  const sessions = viewer ? await auth.listSessions({ userId: viewer.id, headers }) : [];
  const own = sessions.find(({ isCurrent }) => isCurrent);
  // Who was signed in before, and canceled at the provider, hasn't signed in to the app.
  const isNew = own && own.startedAt >= until - validMs && isFreshProof(own.startedAt);
  if (until < clock() || !viewer || !isNew) throw expired();
  const { method } = own;
  if (challenge !== "") {
    const code = await auth.createBrowserCode({ userId: viewer.id, method, redirectTo, challenge });
    return redirectToApp(redirectTo, "query", { code });
  }
  const outcome = await auth.signInFromBrowser({ userId: viewer.id, method, ...origin, isApp: true });
  if (outcome.kind !== "signed-in" || !outcome.tokens) throw expired();
  return redirectWithTokens(redirectTo, outcome.tokens);
}

function readCallbackState(text: string) {
  return callbackState.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
}

function expired(): never {
  throw refusal(400, "bad_oauth_state", "This sign-in has expired. Go back to the app and begin again.");
}

const ssoBody = z.object({ ...challengeFields, redirect_to: z.string().optional() });

/** `POST /sso`: the address that begins single sign-on. */
export async function respondToSso(call: ClientCall): Promise<Response> {
  const { auth, config } = call.services;
  const { redirect_to: redirectTo, code_challenge: challenge } = await readBody(call, ssoBody);
  if (!auth.providers.find("sso"))
    throw refusal(404, "sso_provider_not_found", "Single sign-on isn't set up on this site.");
  const query = new URLSearchParams({
    provider: "sso",
    ...(redirectTo && { redirect_to: redirectTo }),
    ...(challenge && { code_challenge: challenge, code_challenge_method: "s256" }),
  });
  return Response.json({ url: `${config.baseUrl}/auth/v1/authorize?${query}` });
}
