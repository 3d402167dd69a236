import type { Db } from "#app/services/database/database.server.ts";

type Services = { db: Db };

/** Changes all users, accounts or sessions: better-auth's tables are not in our schema. */
export async function changeAll(
  { db }: Services,
  table: "user" | "account" | "session",
  values: Record<string, unknown>,
): Promise<void> {
  await db
    .updateTable(table as "setting")
    .set(values as never)
    .execute();
}

/** Inserts a row, or a list of rows, into each table, also of those that are not in our schema. */
export async function insertRows({ db }: Services, rows: object): Promise<void> {
  for (const [table, row] of Object.entries(rows)) {
    const query = db.insertInto(table as "setting").values(row as never);
    await query.execute();
  }
}

/** All rows of a table, also of one that is not in our schema. */
export function selectAll<Row = object>({ db }: Services, table: string): Promise<Row[]> {
  const query = db.selectFrom(table as "setting").selectAll();
  return query.execute() as unknown as Promise<Row[]>;
}

/** As if all users had proved who they are so many minutes ago. */
export function proveAgo(services: Services, minutes: number): Promise<void> {
  return changeAll(services, "session", { verifiedAt: Date.now() - minutes * 60_000 });
}

/** As if all users had come from a provider. */
export async function removePasswords({ db }: Services): Promise<void> {
  await db
    .deleteFrom("account" as "setting")
    .where("providerId" as "name", "=", "credential")
    .execute();
}

/** Blocks a user by this row alone: sessions are not ended. */
export async function blockUser({ db }: Services, owner_id: string): Promise<void> {
  await db.insertInto("account_block").values({ owner_id, reason: "Spam", created_at: 1 }).execute();
}
