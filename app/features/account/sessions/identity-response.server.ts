import { data, redirect } from "react-router";

import { confirmIdentity } from "#app/features/account/factors/factor-data.server.ts";
import { factorMessages, tooManyCodesMessage } from "#app/features/account/factors/factor-messages.ts";
import { factorLimits } from "#app/features/account/factors/factor-rules.ts";
import { limits } from "#app/features/account/rules.ts";
import { settingsMessages } from "#app/features/account/settings/settings-messages.ts";
import { limitProof } from "#app/features/account/settings/sign-in-data.server.ts";
import type { PasswordRefusal } from "#app/features/account/settings/sign-in-data.server.ts";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";
import type { IdentityProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";

import { identityMessages as messages, readCode, readSecondFactor, tooManyProofsMessage } from "./identity-messages.ts";

/** A proof that was refused, or a code that was sent. Passwords and codes are never sent back. */
export type IdentityResult = {
  notice?: { tone: "success" | "error"; title: string; text?: string };
  /** The problem with the typed password or mailed code. */
  error?: string;
  /** The problem with the second factor. */
  factorError?: string;
};

export type IdentityRequest = {
  services: Services;
  user: { id: string; email: string };
  fields: Record<string, string>;
  address: string;
  headers: Headers;
  returnTo: string;
};

/** Handles the forms that confirm who the user is, and leads back to the page that asked. */
export async function respondToProof(request: IdentityRequest) {
  try {
    if (request.fields.intent === "send-code") return await respondToCodeRequest(request);
    if (request.fields.intent === "passkey") return await respondToPasskey(request);
    const second = readSecondFactor(request.fields.factor ?? "");
    if (!second && (await request.services.auth.findFactors(request.user.id)).isOn)
      return data<IdentityResult>({ factorError: factorMessages.codeRequired }, 400);
    if (request.fields.intent === "code") return await respondToCode(request, second);
    return await respondToPassword(request, second);
  } catch (error) {
    const { notice, status } = reportFailure(request.services, error);
    return data<IdentityResult>({ notice: { tone: "error", ...notice } }, status);
  }
}

async function respondToPassword(request: IdentityRequest, second: SecondFactorResponse | undefined) {
  const { services, user, fields, address } = request;
  const password = fields.password ?? "";
  if (password === "") return data<IdentityResult>({ error: settingsMessages.currentPasswordRequired }, 400);
  const checked = await limitProof(services.rateLimits, { userId: user.id, address }, async () => {
    // Longer than any password: not worth the work of a check.
    return password.length <= 4096 && services.auth.checkPassword({ userId: user.id, password });
  });
  if (checked.kind !== "right") return refuse(request, checked, settingsMessages.wrongCurrentPassword);
  return respondToOutcome(request, await confirm(request, { method: "password", second }));
}

async function respondToCode(request: IdentityRequest, second: SecondFactorResponse | undefined) {
  const { services, user, fields, address } = request;
  const code = readCode(fields.code ?? "");
  if (code === undefined) return data<IdentityResult>({ error: messages.codeRequired }, 400);
  let outcome: Outcome = { kind: "refused" };
  const checked = await limitProof(services.rateLimits, { userId: user.id, address }, async () => {
    outcome = await confirm(request, { method: "email-code", code, second });
    return outcome.kind !== "refused";
  });
  if (checked.kind !== "right") return refuse(request, checked, messages.wrongCode);
  return respondToOutcome(request, outcome);
}

async function respondToPasskey(request: IdentityRequest) {
  const { rateLimits } = request.services;
  const attempt = { limit: factorLimits.passkeysFromNetwork, subject: networkOf(request.address) };
  const refused = await rateLimits.consume([attempt]);
  if (refused) return refuse(request, { kind: "rate-limited", ...refused }, "");
  const outcome = await confirm(request, { method: "passkey", response: request.fields.credential ?? "" });
  if (outcome.kind === "confirmed") await rateLimits.refund([attempt]);
  return respondToOutcome(request, outcome);
}

type Outcome = Awaited<ReturnType<typeof confirmIdentity>>;

function confirm({ services, user, headers, address }: IdentityRequest, proof: IdentityProof): Promise<Outcome> {
  return confirmIdentity(services, { user, proof, headers, address });
}

function respondToOutcome(request: IdentityRequest, outcome: Outcome) {
  const { services, user, returnTo } = request;
  const account = user.id;
  switch (outcome.kind) {
    case "confirmed":
      return redirect(returnTo, { headers: cookieHeaders(outcome.cookies) });
    case "rate-limited": {
      const notice = tooManyCodesMessage(formatWait(outcome.until, services.clock()));
      return data<IdentityResult>({ notice: { tone: "error", ...notice } }, 429);
    }
    case "second-factor":
      logSecurityEvent(services.log, { event: "password-refused", account });
      return data<IdentityResult>({ factorError: factorMessages.wrongProofCode }, 400);
    case "refused":
      logSecurityEvent(services.log, { event: "password-refused", account });
      return data<IdentityResult>({ notice: { tone: "error", ...messages.wrongPasskey } }, 400);
  }
}

async function respondToCodeRequest(request: IdentityRequest) {
  const { services, user, address } = request;
  const { auth, mail, rateLimits, clock } = services;
  if (!mail.isConfigured) return data<IdentityResult>({ notice: { tone: "error", ...messages.noMail } }, 503);
  // A password is the stronger proof: who reads the mail alone can't replace it.
  if ((await auth.findPasswordTime(user.id)) !== undefined) return data<IdentityResult>({}, 400);
  const refused = await rateLimits.consume([
    { limit: limits.mailsFromNetwork, subject: networkOf(address) },
    { limit: limits.identityCodesOfAccount, subject: user.id },
  ]);
  if (refused) {
    const notice = tooManyProofsMessage(formatWait(refused.until, clock()));
    return data<IdentityResult>({ notice: { tone: "error", ...notice } }, 429);
  }
  await auth.sendIdentityCode(user.id);
  return data<IdentityResult>({ notice: { tone: "success", ...messages.codeSent } });
}

/** Responds to a wrong proof or a limit that was reached, and logs it. */
function refuse({ services, user }: IdentityRequest, refusal: PasswordRefusal, error: string) {
  if (refusal.kind === "wrong-password") {
    logSecurityEvent(services.log, { event: "password-refused", account: user.id });
    return data<IdentityResult>({ error }, 400);
  }
  const notice = tooManyProofsMessage(formatWait(refusal.until, services.clock()));
  return data<IdentityResult>({ notice: { tone: "error", ...notice } }, 429);
}
