import { z } from "zod";

import { limits } from "#app/features/account/rules.ts";
import { emailForm } from "#app/features/account/schema.ts";
import { readCode } from "#app/features/account/sessions/identity-messages.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

import {
  challengeFields,
  readRedirect,
  requireEmail,
  requirePasswords,
  redirectToApp,
  redirectWithTokens,
} from "./redirect-links.server.ts";
import { readBody, refusal, requireSession, respondToSignIn, tooMany } from "./client-response.server.ts";

const mailBody = z.object({ ...challengeFields, email: emailForm.shape.email });

/** `POST /otp`: mails six digits and a link to sign in with. */
export function respondToOtp(call: ClientCall): Promise<Response> {
  return requestLink(call, "sign-in", limits.signInMailsToAddress);
}

/** `POST /recover`: mails a link to a session that may set a new password. */
export function respondToRecover(call: ClientCall): Promise<Response> {
  return requestLink(call, "recovery", limits.resetsToAddress);
}

/** The response is the same whether the address has an account or not. */
async function requestLink(call: ClientCall, kind: "sign-in" | "recovery", limit: RateLimit): Promise<Response> {
  const { services, origin } = call;
  requirePasswords(services);
  requireEmail(services);
  const { email, ...challenge } = await readBody(call, mailBody);
  const redirect = readRedirect(call, challenge);
  await countMail(call, email, limit);
  await services.auth.requestAppLink({ email, kind, ...redirect, ...origin });
  return Response.json({});
}

async function countMail({ services, origin }: ClientCall, email: string, limit: RateLimit): Promise<void> {
  const refused = await services.rateLimits.consume(
    [
      { limit: limits.mailsFromNetwork, subject: networkOf(origin.address) },
      { limit, subject: email },
    ],
    { account: () => services.auth.findUserId(email) },
  );
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused }, "over_email_send_rate_limit");
}

/** `POST /resend`: mails the link of a sign-up, or of a signed-in user's own address, again. */
export async function respondToResend(call: ClientCall): Promise<Response> {
  const { services, session, query } = call;
  requirePasswords(services);
  requireEmail(services);
  const { type, email, ...challenge } = await readBody(
    call,
    mailBody.extend({ type: z.enum(["signup", "email_change"]) }),
  );
  const redirect = readRedirect(call, challenge);
  await countMail(call, email, limits.mailsToAddress);
  if (type === "signup")
    await services.auth.resendAppSignUp({
      ...redirect,
      email,
      redirectTo: query.has("redirect_to") ? redirect.redirectTo : undefined,
    });
  else if (session?.viewer.email === email) await services.auth.sendEmailConfirmation(session.viewer.id);
  return Response.json({});
}

/** `GET /reauthenticate`: mails a code that `PUT /user` accepts as `nonce`. */
export async function respondToReauthenticate(given: ClientCall): Promise<Response> {
  const { services, origin, session } = requireSession(given);
  const { id } = session.viewer;
  requireEmail(services);
  const refused = await services.rateLimits.consume([
    { limit: limits.mailsFromNetwork, subject: networkOf(origin.address) },
    { limit: limits.identityCodesOfAccount, subject: id },
  ]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused }, "over_email_send_rate_limit");
  await services.auth.sendIdentityCode(id);
  return Response.json({});
}

const linkKinds = {
  signup: ["sign-up"],
  recovery: ["recovery"],
  magiclink: ["sign-in"],
  email: ["sign-in", "sign-up"],
} as const;

const verifyBody = z.object({
  type: z.enum(["signup", "recovery", "magiclink", "email"]),
  email: emailForm.shape.email.optional(),
  token: z.string().max(100).optional(),
  token_hash: z.string().max(100).optional(),
});

const expiredLink = () => refusal(403, "otp_expired", "This code or link is wrong, used or expired.");

/** `POST /verify`: a session for the digits or the token of a mail. Counts every attempt before it checks the digits. */
export async function respondToVerify(call: ClientCall): Promise<Response> {
  const { services, origin } = call;
  const { auth, rateLimits } = services;
  requirePasswords(services);
  const { type, email, token, token_hash: tokenHash } = await readBody(call, verifyBody);
  const [kinds, app] = [linkKinds[type], { ...origin, isApp: true }];
  if (tokenHash !== undefined) {
    const outcome = await auth.signInWithAppLink({ proof: { token: tokenHash }, kinds, origin: app });
    return respondToSignIn(call, outcome, expiredLink());
  }
  const digits = readCode(token ?? "");
  if (email === undefined || digits === undefined)
    throw refusal(
      400,
      "validation_failed",
      "Send an email and the six digits that were mailed as token, or a token_hash.",
    );
  const network = { limit: limits.codesFromNetwork, subject: networkOf(origin.address) };
  const account = { limit: limits.codesOfAccount, subject: email };
  const own = { limit: limits.codesOfRequest, subject: `${email}\n${networkOf(origin.address)}` };
  const refused = await rateLimits.consume([own, network, account], { account: () => auth.findUserId(email) });
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused });
  const outcome = await auth.signInWithAppLink({ proof: { email, digits }, kinds, origin: app });
  if (outcome.kind !== "refused") await rateLimits.refund([network, account]);
  return respondToSignIn(call, outcome, expiredLink());
}

/** `GET /verify`: a mailed link that a browser has opened. Leads to the app. */
export async function followLink({ services, query, origin }: ClientCall): Promise<Response> {
  requirePasswords(services);
  const followed = await services.auth.followAppLink({ token: query.get("token") ?? "", ...origin, isApp: true });
  const { baseUrl } = services.config;
  const refuse = (redirectTo: string, code: string, text: string) =>
    redirectToApp(redirectTo, "hash", { error: "access_denied", error_code: code, error_description: text });
  switch (followed.kind) {
    case "refused":
      return refuse(`${baseUrl}/auth`, "otp_expired", "Email link is invalid or has expired");
    case "confirm":
      return redirectToApp(`${baseUrl}/auth/confirm`, "query", { token: followed.token });
    case "code":
      return redirectToApp(followed.redirectTo, "query", { code: followed.code });
    case "session": {
      const { outcome, linkKind, redirectTo } = followed;
      if (outcome.kind !== "signed-in" || !outcome.tokens)
        return refuse(redirectTo, "user_banned", "This account is blocked");
      return redirectWithTokens(redirectTo, outcome.tokens, linkKind === "recovery" ? "recovery" : "magiclink");
    }
  }
}
