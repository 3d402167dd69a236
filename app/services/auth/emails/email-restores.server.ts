import { sql } from "kysely";
import { z } from "zod";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type {
  RequestOrigin,
  SecurityEvent,
  SecurityEventKind,
} from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { RemovedSignInMethod } from "#app/services/auth/better-auth.server.ts";
import { listConnectionRows } from "#app/services/auth/oauth/connection-rows.server.ts";
import { providerName } from "#app/services/auth/oauth/providers.server.ts";
import { createResetLink } from "#app/services/auth/passwords/password-resets.server.ts";
import { clearingCookie, endSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import {
  deleteMailedLinks,
  deleteUser,
  findAddress,
  findAddressOwner,
  lockUser,
  setUserEmail,
} from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

export type EmailRestoreCheck =
  | { kind: "ready"; userId: string; email: string; changedAt: number }
  /** The account has the address. */
  | { kind: "used" }
  /** Another account has the address. */
  | { kind: "taken" }
  | { kind: "expired" }
  | { kind: "unknown" };

export type EmailRestoreResult =
  | { kind: "restored"; userId: string; resetToken: string; removed: RemovedSignInMethod[]; cookies: string[] }
  | Exclude<EmailRestoreCheck, { kind: "ready" }>;

const linkDays = 7;
const dayMs = 24 * 60 * 60 * 1000;
/** A thief adds a sign-in method first and changes the email then. */
const beforeChangeMs = dayMs;

/** User id, old address, and when it was changed, in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.number()]);
const linkSigner = (secret: string) => createTokenSigner(secret, "restore-email");

/** A link that undoes a change of the email. `email`: the address until now. */
export function signRestoreLink(secret: string, { userId, email }: { userId: string; email: string }) {
  const token = linkSigner(secret).sign([userId, email, Date.now()] satisfies z.input<typeof claimSchema>);
  return { token, validDays: linkDays };
}

/** Checks the link that was mailed to the old address, without using it up. */
export function checkEmailRestore({ db, secret }: AuthDeps, token: string): Promise<EmailRestoreCheck> {
  return check(db, secret, token);
}

async function check(trx: Db | Trx, secret: string, token: string): Promise<EmailRestoreCheck> {
  const claim = claimSchema.safeParse(linkSigner(secret).verify(token)).data;
  if (!claim) return { kind: "unknown" };
  const [userId, email, changedAt] = claim;
  if (changedAt + linkDays * dayMs < Date.now()) return { kind: "expired" };
  const user = await findAddress(trx, userId);
  if (!user) return { kind: "unknown" };
  if (user.email === email || (await hasRestored(trx, { userId, since: changedAt }))) return { kind: "used" };
  const owner = await findAddressOwner(trx, email);
  if (owner && !owner.isReplaceable) return { kind: "taken" };
  return { kind: "ready", userId, email, changedAt };
}

/**
 * Gives the account its old address back, once per link: whoever had the old mailbox may have lost the account. Ends all its sessions, and
 * removes its password and the ways to sign in that were added in the 24 hours before the change or later: they may be a thief's. Returns a
 * link to set a new password.
 */
export async function restoreEmail(
  deps: AuthDeps,
  { token, ...origin }: { token: string } & RequestOrigin,
): Promise<EmailRestoreResult> {
  const { auth, db, secret } = deps;
  const first = await check(db, secret, token);
  if (first.kind !== "ready") return first;
  const { userId, email, changedAt } = first;
  try {
    const restored = await transact(db, async (trx) => {
      await lockUser(trx, userId);
      const found = await findAddressOwner(trx, email);
      if (found) await lockUser(trx, found.id);
      // Another request may have been faster.
      const now = await check(trx, secret, token);
      return now.kind === "ready" ? await restore(deps, trx, { userId, email, changedAt, origin }) : now;
    });
    if ("kind" in restored) return restored;
    const resetToken = await createResetLink(auth, userId);
    return { kind: "restored", userId, resetToken, ...restored, cookies: [clearingCookie(deps)] };
  } catch (error) {
    // Another user signed up with the address at the same time.
    if (isUniqueViolation(error)) return { kind: "taken" };
    throw error;
  }
}

type Restored = { userId: string; email: string; changedAt: number; origin: RequestOrigin };

async function restore(deps: AuthDeps, trx: Trx, { userId, email, changedAt, origin }: Restored) {
  const { engine, enqueueMail } = deps;
  const before = await findAddress(trx, userId);
  const owner = await findAddressOwner(trx, email);
  if (owner) await deleteUser(trx, owner.id);
  await setUserEmail(trx, { userId, email, engine });
  await deleteMailedLinks(trx, userId);
  await endSessions(trx, { userId, keep: undefined });
  const removed = await removeSignInMethods(trx, { userId, since: changedAt - beforeChangeMs });
  const detail = new Date(changedAt).toISOString();
  await recordSecurityEvent(deps, trx, { ownerId: userId, event: "email-restored", detail, origin });
  for (const method of removed) await recordSecurityEvent(deps, trx, { ownerId: userId, origin, ...removalOf(method) });
  await enqueueMail({ kind: "email-restored", to: email, removed }, trx);
  if (before) await enqueueMail({ kind: "email-change-undone", to: before.email }, trx);
  return { removed };
}

function removalOf(method: RemovedSignInMethod): Pick<SecurityEvent, "event" | "detail"> {
  if (method.kind === "connection") return { event: "account-unlinked", detail: method.name };
  return { event: "factor-removed", detail: method.kind === "passkey" ? `passkey ${method.name}` : method.kind };
}

/**
 * A link works once, and undoes later changes with it: their links don't work after it. The link of an earlier change does, because a thief
 * who changes the email twice gets a link as well. The event's detail is the time of the change that was undone.
 */
async function hasRestored(trx: Db | Trx, { userId, since }: Added): Promise<boolean> {
  const row = await selectEvents(trx, { userId, since, event: "email-restored" })
    .where("detail", "<=", new Date(since).toISOString())
    .executeTakeFirst();
  return row !== undefined;
}

type Added = { userId: string; since: number };

/**
 * Removes the password, and what was added to an account since a time: passkeys, the authenticator app, backup codes and connected accounts.
 * Newer browsers are forgotten. Returns what was removed besides the password. The caller ends sessions and the trust in browsers.
 */
async function removeSignInMethods(trx: Trx, added: Added): Promise<RemovedSignInMethod[]> {
  const { userId, since } = added;
  await sql`update "account" set "password" = null where "userId" = ${userId} and "providerId" = 'credential'`.execute(
    trx,
  );
  for (const table of ["identity_code", "passkey_challenge"] as const)
    await trx.deleteFrom(table).where("owner_id", "=", userId).execute();
  await trx.deleteFrom("known_device").where("owner_id", "=", userId).where("created_at", ">=", since).execute();
  return [
    ...(await removePasskeys(trx, added)),
    ...(await removeSecondFactor(trx, added)),
    ...(await removeConnections(trx, added)),
  ];
}

async function removePasskeys(trx: Trx, { userId, since }: Added): Promise<RemovedSignInMethod[]> {
  const rows = await trx
    .deleteFrom("passkey")
    .where("owner_id", "=", userId)
    .where("created_at", ">=", since)
    .returning("name")
    .execute();
  return rows.map(({ name }) => ({ kind: "passkey", name }));
}

/** After the passkeys: two-step verification without any factor would keep the owner out. */
async function removeSecondFactor(trx: Trx, { userId, since }: Added): Promise<RemovedSignInMethod[]> {
  const row = await trx.selectFrom("second_factor").selectAll().where("owner_id", "=", userId).executeTakeFirst();
  if (!row) return [];
  const isNew = row.enabled_at !== null && row.enabled_at >= since;
  const hasNewApp = isNew || (await hasEvent(trx, { userId, since, event: "factor-added", detail: "app" }));
  const hasNewCodes = isNew || (await hasEvent(trx, { userId, since, event: "backup-codes-made" }));
  const hasOldApp = row.totp_secret !== null && !hasNewApp;
  const passkey = await trx.selectFrom("passkey").select("id").where("owner_id", "=", userId).executeTakeFirst();
  const isKept = row.enabled_at !== null && !isNew && (hasOldApp || passkey !== undefined);
  if (isKept) {
    const app = hasOldApp ? {} : { totp_secret: null };
    await trx
      .updateTable("second_factor")
      .set({ pending_secret: null, ...app })
      .where("owner_id", "=", userId)
      .execute();
  } else await trx.deleteFrom("second_factor").where("owner_id", "=", userId).execute();
  const removesCodes = (!isKept || hasNewCodes) && (await removeCodes(trx, userId));
  return [
    ...(row.totp_secret !== null && !hasOldApp ? [{ kind: "app" } as const] : []),
    ...(removesCodes ? [{ kind: "backup-codes" } as const] : []),
  ];
}

async function removeCodes(trx: Trx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("backup_code").where("owner_id", "=", userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

async function removeConnections(trx: Trx, { userId, since }: Added): Promise<RemovedSignInMethod[]> {
  const rows = await listConnectionRows(trx, userId);
  const added = rows.filter(({ connectedAt }) => connectedAt >= since);
  for (const { id } of added) await sql`delete from "account" where "id" = ${id}`.execute(trx);
  return added.map(({ providerId }) => ({ kind: "connection", name: providerName(providerId) }));
}

type LoggedChange = Added & { event: SecurityEventKind; detail?: string };

/** The rows of an app and of backup codes don't say when they were replaced; the security events do. */
async function hasEvent(trx: Trx, { detail, ...change }: LoggedChange): Promise<boolean> {
  const events = selectEvents(trx, change);
  return (await (detail === undefined ? events : events.where("detail", "=", detail)).executeTakeFirst()) !== undefined;
}

function selectEvents(trx: Db | Trx, { userId, since, event }: LoggedChange) {
  return trx
    .selectFrom("security_event")
    .select("id")
    .where("owner_id", "=", userId)
    .where("event", "=", event)
    .where("created_at", ">=", since)
    .limit(1);
}
