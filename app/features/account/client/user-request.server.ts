import { z } from "zod";

import { findPasswordError } from "#app/features/account/data.server.ts";
import { limits } from "#app/features/account/rules.ts";
import { credentialsForm, emailForm } from "#app/features/account/schema.ts";
import { readCode } from "#app/features/account/sessions/identity-messages.ts";
import { limitProof } from "#app/features/account/settings/sign-in-data.server.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { providerName } from "#app/services/auth/oauth/providers.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";

import { findUser, problemRefusal, readBody, refusal, requireSession, tooMany } from "./client-response.server.ts";
import type { SignedInCall } from "./client-response.server.ts";
import { requireEmail, requirePasswords } from "./redirect-links.server.ts";
import { refuseUserData, weakPassword } from "./token-request.server.ts";

/** `GET /user`: the user of the session. */
export async function respondWithUser(given: ClientCall): Promise<Response> {
  const { services, session } = requireSession(given);
  return Response.json(await findUser(services, session.viewer.id));
}

const userBody = z.object({
  password: credentialsForm.shape.password.optional(),
  email: emailForm.shape.email.optional(),
  nonce: z.string().max(100).nullish(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/**
 * `PUT /user`: a new password or email, for a user who has just proved who they are: in a session that a recovery link has started, or with
 * a mailed `nonce`.
 */
export async function respondToUserChange(given: ClientCall): Promise<Response> {
  const call = requireSession(given);
  const { services, session } = call;
  const { password, email, nonce, data } = await readBody(call, userBody);
  refuseUserData(data);
  if (typeof nonce === "string") await checkNonce(call, nonce);
  else await requireProof(call);
  if (password !== undefined) await setPassword(call, password);
  if (email !== undefined && email !== session.viewer.email) await changeEmail(call, email);
  return Response.json(await findUser(services, session.viewer.id));
}

/** Refuses a session whose last proof is too old for a sensitive change, or that of its second factor. */
export async function requireProof(call: SignedInCall): Promise<void> {
  const { session } = call;
  await requireSecondFactor(call);
  if (!isFreshProof(session.viewer.verifiedAt))
    throw refusal(
      400,
      "reauthentication_needed",
      "Confirm who you are first: reauthenticate() mails a code, which updateUser({ nonce }) accepts.",
    );
}

/** As on our pages, the second factor is asked for again: a session may have proved it weeks ago. */
async function requireSecondFactor({ services, session }: SignedInCall): Promise<void> {
  const isFresh = session.proofs.some(({ method, timestamp }) => method === "totp" && isFreshProof(timestamp * 1000));
  if (!session.isFull || (!isFresh && (await services.auth.findFactors(session.viewer.id)).isOn))
    throw problemRefusal("second-factor");
}

async function checkNonce(call: SignedInCall, nonce: string): Promise<void> {
  const { services, session, origin } = call;
  await requireSecondFactor(call);
  const { viewer } = session;
  const code = readCode(nonce) ?? "";
  const attempt = { userId: viewer.id, address: origin.address };
  const checked = await limitProof(services.rateLimits, attempt, () =>
    services.auth.confirmAppIdentity({ viewer, code, origin }),
  );
  if (checked.kind === "rate-limited") throw tooMany(services, checked);
  if (checked.kind === "right") return;
  logSecurityEvent(services.log, { event: "password-refused", account: viewer.id });
  throw refusal(422, "reauthentication_not_valid", "This nonce is wrong or has expired.");
}

async function setPassword({ services, session, origin }: SignedInCall, password: string): Promise<void> {
  const { viewer } = session;
  requirePasswords(services);
  const problem = await findPasswordError(services, { password, email: viewer.email, ownerId: viewer.id });
  if (problem !== undefined) throw weakPassword(problem);
  const refused = await services.rateLimits.consume([{ limit: limits.passwordChangesOfAccount, subject: viewer.id }]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused });
  const outcome = await services.auth.setAppPassword({ viewer, password, origin });
  if (outcome === "same")
    throw refusal(422, "same_password", "New password should be different from the old password.");
  if (outcome === "ended") throw problemRefusal("token-ended");
}

/** Mails a link to the new address. It works in a browser that is signed in to the account. */
async function changeEmail({ services, session, origin }: SignedInCall, email: string): Promise<void> {
  const { id: userId } = session.viewer;
  requireEmail(services);
  const refused = await services.rateLimits.consume([
    { limit: limits.mailsFromNetwork, subject: networkOf(origin.address) },
    { limit: limits.emailChangesOfAccount, subject: userId },
    { limit: limits.mailsToAddress, subject: email },
  ]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused }, "over_email_send_rate_limit");
  await services.auth.requestEmailChange({ userId, email });
}

/** `GET /user/identities/authorize`: where the user connects an account at a provider. That takes a browser that is signed in here. */
export function respondToLink(given: ClientCall): Response {
  const { services, query } = requireSession(given);
  const { config, auth } = services;
  const provider = auth.providers.find(query.get("provider") ?? "");
  if (!provider) throw refusal(400, "validation_failed", "Unsupported provider: provider is not enabled");
  const url = `${config.baseUrl}/account/connections#${provider.id}`;
  return Response.json({ url, provider: provider.id });
}

/** `DELETE /user/identities/{id}`: disconnects an account at a provider. */
export async function respondToUnlink(given: ClientCall, id: string): Promise<Response> {
  const call = requireSession(given);
  const { services, session, origin } = call;
  await requireProof(call);
  const { id: userId } = session.viewer;
  const provider = services.auth.providers.find(id);
  const canSignIn = provider?.canSignIn ?? id === "wallet";
  const disconnected = { id, name: providerName(id), canSignIn };
  const outcome = await services.auth.disconnect({ userId, provider: disconnected, ...origin });
  if (outcome === "not-connected") throw refusal(404, "identity_not_found", "This account isn't connected.");
  if (outcome === "last-sign-in-method")
    throw refusal(422, "single_identity_not_deletable", "This is the only way to sign in. Set a password first.");
  return Response.json({});
}
