import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { Db, Trx } from "./database.server.ts";

/** The condition that the operator hasn't blocked the account. What visitors see of a blocked account doesn't exist for them. */
export function isNotBlocked(
  ownerColumn: "profile.owner_id" | "card.owner_id" | "webhook_endpoint.owner_id",
): RawBuilder<boolean> {
  return sql<boolean>`not exists (select 1 from "account_block" where "account_block"."owner_id" = ${sql.ref(ownerColumn)})`;
}

/** Whether the operator blocked the account. */
export async function isBlocked(db: Db | Trx, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom("account_block")
    .select("owner_id")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row !== undefined;
}
