import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import { checkPasskey, makeChallenge } from "./passkey-challenges.server.ts";
import { loadPasskeyLibrary, relyingPartyOf } from "./passkey-responses.server.ts";
import { listCredentials } from "./passkeys.server.ts";

/** The options for `navigator.credentials.get`; without a user, for a sign-in with any passkey of this site. */
export async function askPasskey(
  { db, baseUrl }: AuthDeps,
  of?: { userId: string; purpose: "second-factor" | "confirm" },
): Promise<object> {
  const purpose = of?.purpose ?? "sign-in";
  const { generateAuthenticationOptions } = await loadPasskeyLibrary();
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(baseUrl).id,
    challenge: Buffer.from(await makeChallenge(db, { purpose, ownerId: of?.userId ?? "" }), "base64url"),
    userVerification: purpose === "second-factor" ? "preferred" : "required",
    ...(of && { allowCredentials: await listCredentials(db, of.userId) }),
  });
}

/** Signs in with a passkey alone: it counts as both factors. `response`: what the browser returned, as JSON. */
export function signInWithPasskey(
  deps: AuthDeps,
  { response, ...origin }: { response: string } & RequestOrigin,
): Promise<SignInOutcome | { kind: "refused" }> {
  return transact(deps.db, async (trx) => {
    const userId = await checkPasskey(deps, trx, { response, purpose: "sign-in", userId: undefined });
    if (userId === undefined || !(await lockUser(trx, userId))) return { kind: "refused" };
    return completeSignIn(deps, trx, { userId, method: "passkey", origin });
  });
}
