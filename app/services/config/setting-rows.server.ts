import type { Db, Trx } from "#app/services/database/database.server.ts";

/** The value of an installation's setting that the program wrote itself. */
export async function findSetting(db: Db | Trx, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("setting").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

/** Returns false and changes nothing if the setting has a value. */
export async function addSetting(db: Db | Trx, name: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Gives the setting this value if it has none. Returns its value: of processes that set one at the same time, all get the first one's. */
export async function ensureSetting(db: Db, name: string, value: string): Promise<string> {
  return (await addSetting(db, name, value)) ? value : ((await findSetting(db, name)) ?? value);
}

export async function saveSetting(db: Db | Trx, name: string, value: string): Promise<void> {
  await db
    .insertInto("setting")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Replaces a value by what `change` makes of it, "" for none, in one process at a time. */
export async function changeSetting(trx: Trx, name: string, change: (value: string) => string): Promise<void> {
  // Inserts the row or updates it unchanged: both lock it, so that a second process waits here.
  const { value } = await trx
    .insertInto("setting")
    .values({ name, value: "" })
    .onConflict((conflict) => conflict.column("name").doUpdateSet((row) => ({ value: row.ref("setting.value") })))
    .returning("value")
    .executeTakeFirstOrThrow();
  await saveSetting(trx, name, change(value));
}

export async function removeSetting(db: Db | Trx, name: string): Promise<void> {
  await db.deleteFrom("setting").where("name", "=", name).execute();
}
