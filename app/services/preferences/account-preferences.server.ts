import type { Db, Trx } from "#app/services/database/database.server.ts";

/** What an owner chose for their account. */
export type AccountPreferences = {
  /** Whether the owner gets a mail about a sign-in from a new browser. */
  mailsSignIns: boolean;
  /** "de-DE", for dates; "" for American English. */
  locale: string;
  /** "Europe/Berlin"; "" for UTC. */
  timeZone: string;
};

export async function findPreferences(db: Db | Trx, ownerId: string): Promise<AccountPreferences> {
  const row = await db.selectFrom("account_preference").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
  return {
    mailsSignIns: row?.mails_sign_ins !== 0,
    locale: row?.locale ?? "",
    timeZone: row?.time_zone ?? "",
  };
}

/** Saves the preferences of an account. The caller has locked it, so that nothing is left of one that is being deleted. */
export async function savePreferences(
  trx: Trx,
  { ownerId, mailsSignIns, locale, timeZone }: AccountPreferences & { ownerId: string },
): Promise<void> {
  const row = { mails_sign_ins: mailsSignIns ? 1 : 0, locale, time_zone: timeZone } as const;
  await trx
    .insertInto("account_preference")
    .values({ owner_id: ownerId, ...row })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(row))
    .execute();
}
