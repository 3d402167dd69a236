import { isStartProblem } from "#app/services/base/errors.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

/** A row of a table that every engine has and no rule depends on. */
export async function addSetting(db: Db | Trx, name: string, value = "") {
  await db.insertInto("setting").values({ name, value }).execute();
}

export async function settingNames(db: Db) {
  const rows = await db.selectFrom("setting").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

/** What `work` is rejected with. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("nothing was wrong");
}

/** The line with which a start fails, at once or later. Any other error, or none, fails the test. */
export async function startProblemOf(work: () => unknown): Promise<string> {
  const error = await errorOf((async () => work())());
  if (isStartProblem(error)) return error.message;
  throw error;
}
