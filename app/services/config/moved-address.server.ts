import { findSetting } from "#app/services/config/setting-rows.server.ts";
import { localHosts } from "#app/services/config/setting-values.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** The setting with the BASE_URL of the last start. */
export const addressName = "base-url";

/** What a new BASE_URL breaks, in a sentence; undefined while it is that of the last start, or on this machine. */
export async function findMove(db: Db, baseUrl: string): Promise<string | undefined> {
  const stored = await findSetting(db, addressName);
  if (stored === undefined || stored === baseUrl) return undefined;
  const [before, now] = [new URL(stored), new URL(baseUrl)];
  if (localHosts.includes(before.hostname)) return undefined;
  const { passkeys } = await db
    .selectFrom("passkey")
    .select(({ fn }) => fn.countAll<number>().as("passkeys"))
    .executeTakeFirstOrThrow();
  const lost =
    before.hostname === now.hostname || passkeys === 0
      ? ""
      : ` Passkeys (${passkeys}) work only at ${before.hostname}.`;
  return (
    `BASE_URL was ${stored} and is ${baseUrl}.${lost} Keep ${before.origin} leading here: printed QR codes, saved links and wallet ` +
    "passes use it. Change the callback URLs at sign-in providers and Stripe. Everyone has to sign in again: docs/operators.md#a-new-address."
  );
}
