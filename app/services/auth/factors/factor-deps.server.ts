import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth, EnqueueMail, FactorChange } from "#app/services/auth/better-auth.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import {
  endOtherSessions,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import type { SignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import type { BackupCodes } from "./backup-codes.server.ts";
import type { SecretBox } from "#app/services/base/secret-box.server.ts";

/** What the services about second factors and passkeys use. */
export type FactorDeps = {
  auth: BetterAuth;
  db: Db;
  baseUrl: string;
  signIns: SignIns;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
  backupCodes: BackupCodes;
  secretBox: SecretBox;
};

type Reported = {
  userId: string;
  change: FactorChange;
  detail?: string;
  /** Without one, the operator did it. */
  origin: RequestOrigin | undefined;
};

/** Mails the owner about a change of factors. */
export async function reportChange(
  { enqueueMail }: Pick<FactorDeps, "enqueueMail">,
  trx: Trx,
  { userId, change, detail, origin }: Reported,
): Promise<void> {
  const user = await findAddress(trx, userId);
  if (!user) return;
  const browser = origin && browserName(origin.headers.get("user-agent"));
  await enqueueMail({ kind: "factor-changed", to: user.email, change, browser, ...(detail && { detail }) }, trx);
}

/** Gives the browser's session a new token; `endOthersOf`: ends the others of this account. Returns the cookies to set. */
export async function renewOwnSession(
  { auth, trx }: { auth: BetterAuth; trx: Trx },
  { headers }: RequestOrigin,
  endOthersOf?: string,
): Promise<string[]> {
  const before = await readSessionToken(auth, headers);
  const token = before === undefined ? undefined : await renewSession(trx, before);
  if (endOthersOf !== undefined) await endOtherSessions(trx, { userId: endOthersOf, keep: token });
  return token === undefined ? [] : [await sessionCookie(auth, token)];
}
