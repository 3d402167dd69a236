import type { RouterContextProvider } from "react-router";

import { requireUser, services } from "#app/services/http/context.ts";

/** Whether the signed-in user has a second factor, without which the operator's pages stay closed. */
export async function hasSecondFactor(context: Readonly<RouterContextProvider>): Promise<boolean> {
  const row = await services(context)
    .db.selectFrom("second_factor")
    .select("enabled_at")
    .where("owner_id", "=", requireUser(context).id)
    .executeTakeFirst();
  return Boolean(row?.enabled_at);
}
