import { randomUUID } from "node:crypto";

import { z } from "zod";

import { confirmApp, limitCodes } from "#app/features/account/factors/factor-data.server.ts";
import { factorLimits } from "#app/features/account/rules.ts";
import { readSecondFactor } from "#app/features/account/sessions/identity-messages.ts";
import { qrSvg } from "#app/features/drawing/qr-code.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";

import {
  describeSession,
  factorIds,
  problemRefusal,
  readBody,
  refusal,
  requireSession,
  tooMany,
} from "./client-response.server.ts";
import type { SignedInCall } from "./client-response.server.ts";
import { requireProof } from "./user-request.server.ts";

const newFactorBody = z.object({ factor_type: z.string(), friendly_name: z.string().max(100).nullish() });

/** `POST /factors`: makes the key of an authenticator app that is to be set up. An account has one. */
export async function respondToEnroll(given: ClientCall): Promise<Response> {
  const call = requireSession(given);
  const { services, session } = call;
  const { factor_type: type, friendly_name: name } = await readBody(call, newFactorBody);
  if (type !== "totp")
    throw refusal(422, "validation_failed", "factor_type must be totp. Passkeys are added on this site's pages.");
  // Our own page shows the key as well, which no one else may have chosen.
  await requireProof(call);
  await limitChange(call);
  const { id, email } = session.viewer;
  await services.auth.startApp(id);
  const pending = await services.auth.findPendingApp({ id, email });
  if (!pending) throw problemRefusal("token-ended");
  // The client makes a data: URL of it, which would end at a "#".
  const totp = { qr_code: qrSvg(pending.uri).replaceAll("#", "%23"), secret: pending.secret, uri: pending.uri };
  return Response.json({ id: factorIds.unverified, type, friendly_name: name ?? "", totp });
}

/** `POST /factors/{id}/challenge`: nothing is sent to an authenticator app, so this only says that it may be asked. */
export function respondToChallenge(given: ClientCall, id: string): Response {
  requireSession(given);
  requireFactor(id);
  const expiresAt = Math.floor(given.services.clock() / 1000) + 300;
  return Response.json({ id: randomUUID(), type: "totp", expires_at: expiresAt });
}

const codeBody = z.object({ code: z.string().max(100) });

/**
 * `POST /factors/{id}/verify`: the code of the app, or a backup code. Gives the session what it lacked, or turns on two-step verification:
 * then `backup_codes` are in the response, once.
 */
export async function respondToCode(given: ClientCall, id: string): Promise<Response> {
  const call = requireSession(given);
  const { code } = await readBody(call, codeBody);
  return (await findFactor(call, id)) === "new" ? turnOn(call, code) : verify(call, code);
}

const wrongCode = () => refusal(422, "mfa_verification_failed", "Invalid TOTP code entered");

async function turnOn(call: SignedInCall, code: string): Promise<Response> {
  const { services, session, origin } = call;
  await requireProof(call);
  const { id: userId, sessionId } = session.viewer;
  const result = await confirmApp(services, { userId, code, ...origin, appSessionId: sessionId });
  if (result.kind === "rate-limited") throw tooMany(services, result);
  if (result.kind === "refused") throw wrongCode();
  const tokens = await services.auth.strengthenSession({ sessionId });
  if (!tokens) throw problemRefusal("token-ended");
  const described = await describeSession(services, { tokens, userId });
  return Response.json({ ...described, ...(result.codes && { backup_codes: result.codes }) });
}

async function verify({ services, session, origin }: SignedInCall, code: string): Promise<Response> {
  const { viewer } = session;
  const response = readSecondFactor(code);
  if (!response) throw wrongCode();
  const checked = await limitCodes(services, { account: viewer.id, response, origin }, () =>
    services.auth.verifyAppFactor({ viewer, response, origin }),
  );
  if (checked.kind === "rate-limited") throw tooMany(services, checked);
  if (checked.kind === "wrong") throw wrongCode();
  return Response.json(await describeSession(services, { tokens: checked.result, userId: viewer.id }));
}

/** `DELETE /factors/{id}`: turns off two-step verification. */
export async function respondToUnenroll(given: ClientCall, id: string): Promise<Response> {
  const call = requireSession(given);
  if ((await findFactor(call, id)) === "verified") {
    await requireProof(call);
    await limitChange(call);
    await call.services.auth.turnOff({ userId: call.session.viewer.id, origin: call.origin });
  }
  return Response.json({ id });
}

async function limitChange({ services, session }: SignedInCall): Promise<void> {
  const attempt = { limit: factorLimits.factorChangesOfAccount, subject: session.viewer.id };
  const refused = await services.rateLimits.consume([attempt]);
  if (refused) throw tooMany(services, { kind: "rate-limited", ...refused });
}

/** Apps may keep the ID of a factor that was new when they set it up. */
async function findFactor({ services, session }: SignedInCall, id: string): Promise<"verified" | "new"> {
  const isNew = requireFactor(id) === "new" && (await services.auth.findPendingApp(session.viewer)) !== undefined;
  return isNew ? "new" : "verified";
}

function requireFactor(id: string): "verified" | "new" {
  if (id === factorIds.verified) return "verified";
  if (id === factorIds.unverified) return "new";
  throw refusal(404, "mfa_factor_not_found", "This account has no such factor.");
}
