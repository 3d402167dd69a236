import { sql } from "kysely";

import type { SecurityEventKind } from "#app/services/auth/audit/security-events.server.ts";
import type { RemovedWayIn } from "#app/services/auth/better-auth.server.ts";
import { listConnectionRows } from "#app/services/auth/oauth/connection-rows.server.ts";
import { providerName } from "#app/services/auth/oauth/providers.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

type Added = { userId: string; since: number };

/**
 * Removes the password, and what was added to an account since a time: passkeys, the authenticator app, backup codes and connected accounts.
 * Newer browsers are forgotten. Returns what was removed besides the password. The caller ends sessions and the trust in browsers.
 */
export async function removeWaysIn(trx: Trx, added: Added): Promise<RemovedWayIn[]> {
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

async function removePasskeys(trx: Trx, { userId, since }: Added): Promise<RemovedWayIn[]> {
  const rows = await trx
    .deleteFrom("passkey")
    .where("owner_id", "=", userId)
    .where("created_at", ">=", since)
    .returning("name")
    .execute();
  return rows.map(({ name }) => ({ kind: "passkey", name }));
}

/** After the passkeys: two-step verification without any factor would keep the owner out. */
async function removeSecondFactor(trx: Trx, { userId, since }: Added): Promise<RemovedWayIn[]> {
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

async function removeConnections(trx: Trx, { userId, since }: Added): Promise<RemovedWayIn[]> {
  const rows = await listConnectionRows(trx, userId);
  const added = rows.filter(({ connectedAt }) => connectedAt >= since);
  for (const { id } of added) await sql`delete from "account" where "id" = ${id}`.execute(trx);
  return added.map(({ providerId }) => ({ kind: "connection", name: providerName(providerId) }));
}

type LoggedChange = Added & { event: SecurityEventKind; detail?: string };

/** The rows of an app and of backup codes don't say when they were replaced; the security events do. */
async function hasEvent(trx: Trx, { userId, since, event, detail }: LoggedChange): Promise<boolean> {
  const events = trx
    .selectFrom("security_event")
    .select("id")
    .where("owner_id", "=", userId)
    .where("event", "=", event)
    .where("created_at", ">=", since)
    .limit(1);
  return (await (detail === undefined ? events : events.where("detail", "=", detail)).executeTakeFirst()) !== undefined;
}
