import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { dueMonday, nextMonday } from "./rules.ts";

export const weeklyMailJob = "weekly-mail";

type Choice = { ownerId: string; isOn: boolean; now: number };

/** Does nothing for an account that is gone. */
export async function saveWeeklyMail(db: Db, { ownerId, isOn, now }: Choice): Promise<void> {
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return;
    if (!isOn) return deleteWeeklyMail(trx, ownerId);
    const { timeZone } = await findPreferences(trx, ownerId);
    await trx
      .insertInto("weekly_mail")
      .values({ owner_id: ownerId, monday: nextMonday(now, timeZone), created_at: now })
      .onConflict((conflict) => conflict.column("owner_id").doNothing())
      .execute();
  });
}

export async function deleteWeeklyMail(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("weekly_mail").where("owner_id", "=", ownerId).execute();
}

export async function wantsWeeklyMail(db: Db, ownerId: string): Promise<boolean> {
  const row = await db.selectFrom("weekly_mail").select("monday").where("owner_id", "=", ownerId).executeTakeFirst();
  return row !== undefined;
}

/**
 * Adds a job for each mail that is due. The stored Monday moves on in the same transaction, so that each is added once, however many
 * processes look at the same time.
 */
export async function enqueueWeeklyMails({ db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">): Promise<void> {
  const now = clock();
  for (let last = ""; ;) {
    const rows = await listCandidates(db, { after: last, now });
    for (const { owner_id: ownerId, monday, time_zone } of rows) {
      const due = dueMonday({ monday, now, timeZone: time_zone ?? "" });
      if (due === undefined) continue;
      await transact(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("weekly_mail")
          .set({ monday: due + 7 })
          .where("owner_id", "=", ownerId)
          .where("monday", "=", monday)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) await jobs.enqueue(trx, weeklyMailJob, { ownerId, monday: due });
      });
    }
    last = rows.at(-1)?.owner_id ?? "";
    if (rows.length < batchSize) return;
  }
}

const batchSize = 500;

/** Those whose Monday has begun somewhere on earth. */
async function listCandidates(db: Db, { after, now }: { after: string; now: number }) {
  return db
    .selectFrom("weekly_mail")
    .leftJoin("account_preference", "account_preference.owner_id", "weekly_mail.owner_id")
    .select(["weekly_mail.owner_id", "monday", "time_zone"])
    .where("monday", "<=", Math.floor(now / 86_400_000) + 1)
    .where("weekly_mail.owner_id", ">", after)
    .orderBy("weekly_mail.owner_id")
    .limit(batchSize)
    .execute();
}
