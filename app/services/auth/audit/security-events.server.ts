import { createHmac, randomUUID } from "node:crypto";

import { sql } from "kysely";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import { afterCommit, isAfterCursor, transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

/** Where a request came from. */
export type RequestOrigin = {
  headers: Headers;
  /** The network address. It is hashed, never stored. */
  address?: string | undefined;
  /** It came from an app, which gets tokens instead of cookies. */
  isApp?: boolean | undefined;
  /** The session of the app, in place of that of the cookie. */
  appSessionId?: string | undefined;
};

export type SecurityEventKind =
  | "signed-in"
  | "signed-out"
  | "sign-in-refused"
  | "identity-confirmed"
  | "session-ended"
  | "handed-over"
  | "taken-back"
  | "password-set"
  | "password-changed"
  | "email-changed"
  | "email-confirmed"
  | "email-restored"
  | "factor-added"
  | "factor-removed"
  | "factor-refused"
  | "backup-codes-made"
  | "backup-code-used"
  | "account-linked"
  | "account-unlinked"
  | "data-exported"
  | "lead-forward-added"
  | "lead-forward-confirmed"
  | "lead-forward-removed"
  | "lead-chat-added"
  | "lead-chat-removed"
  | "calendar-address-created"
  | "calendar-address-revoked"
  | "device-password-created"
  | "device-password-revoked"
  | "kiosk-link-created"
  | "kiosk-link-removed"
  | "blocked"
  | "unblocked"
  | "plan-granted"
  | "plan-revoked"
  | "mcp-tool-called"
  | "webhook-added"
  | "webhook-changed"
  | "webhook-secret-shown"
  | "webhook-secret-rotated"
  | "webhook-deleted"
  | "integration-added"
  | "integration-changed"
  | "integration-deleted"
  | "api-key-created"
  | "api-key-revoked";

export type SecurityEvent = {
  ownerId: string;
  event: SecurityEventKind;
  /** A word or two for the owner: the way of signing in, the name of a passkey. */
  detail?: string;
  /** Without one, the operator did it. */
  origin: RequestOrigin | undefined;
};

/** An event as it was recorded. `event` may be of a later release. */
export type StoredSecurityEvent = {
  id: string;
  event: string;
  detail: string;
  browser: string;
  /** A hash; "" for what the operator did. */
  network: string;
  /** Epoch milliseconds. */
  createdAt: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const maxRefusalsPerDay = 20;
const keptMs = 180 * dayMs;

type RecordDeps = Pick<AuthDeps, "secret" | "onSecurityEvent">;

/** Records what happened to an account; in a transaction, only if that commits. */
export async function recordSecurityEvent(
  deps: RecordDeps,
  trx: Db | Trx,
  { ownerId, event, detail = "", origin }: SecurityEvent,
): Promise<void> {
  await trx
    .insertInto("security_event")
    .values({
      id: randomUUID(),
      owner_id: ownerId,
      event,
      detail,
      browser: origin ? browserName(origin.headers.get("user-agent")) : "",
      network: origin?.address ? hashNetwork(deps, origin.address) : "",
      created_at: Date.now(),
    })
    .execute();
  const { onSecurityEvent } = deps;
  // Sessions of the account may have ended.
  if (onSecurityEvent && isTransaction(trx)) afterCommit(trx, () => onSecurityEvent(ownerId, event));
}

/** The hash of a request's network, as events have it. */
export function hashNetwork({ secret }: RecordDeps, address: string): string {
  return createHmac("sha256", secret)
    .update(`network\n${networkOf(address)}`)
    .digest("base64url")
    .slice(0, 8);
}

/** Records a refused sign-in, at most 20 times a day for an account: someone who guesses must not fill the table. */
export async function recordRefusedSignIn(
  deps: AuthDeps,
  { ownerId, origin }: { ownerId: string; origin: RequestOrigin },
): Promise<void> {
  await transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return;
    const { count } = await trx
      .selectFrom("security_event")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("owner_id", "=", ownerId)
      .where("event", "=", "sign-in-refused")
      .where("created_at", ">", Date.now() - dayMs)
      .executeTakeFirstOrThrow();
    if (count < maxRefusalsPerDay) await recordSecurityEvent(deps, trx, { ownerId, event: "sign-in-refused", origin });
  });
}

/** Deletes events that are older than 180 days. */
export async function sweepSecurityEvents({ db }: AuthDeps): Promise<void> {
  await deleteInParts(db, { from: "security_event", key: ["id"], where: sql`created_at < ${Date.now() - keptMs}` });
}

function isTransaction(trx: Db | Trx): trx is Trx {
  return trx.isTransaction;
}

/**
 * The events of an account, the newest first; with `before`, those that follow that event. By the index of owner and time, so that a later
 * page costs no more than the first.
 */
export async function listSecurityEvents(
  { db }: AuthDeps,
  { ownerId, before, limit }: { ownerId: string; before?: PageCursor | undefined; limit: number },
): Promise<StoredSecurityEvent[]> {
  const rows = await db
    .selectFrom("security_event")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where(isAfterCursor(before))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at }));
}
