import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** The row of `setting` with the kind of the key that was last used: "test" or "live". */
const modeSetting = "stripe-mode";

const liveCustomersProblem =
  "STRIPE_SECRET_KEY is a test key, but this database has customers of a live key, whom Stripe would go on charging. " +
  "Use the live key again, or try things out with another database.";

/**
 * Stores whether the key is a live one. After a test key, all customers are read again: those of the test key don't exist there. Returns why
 * the program can't start when live customers are stored and the key is a test key, which can't end what they pay for.
 */
export async function storeMode(db: Db, isLive: boolean): Promise<string | undefined> {
  return transact(db, async (trx) => {
    const query = trx.selectFrom("setting").select("value").where("name", "=", modeSetting);
    const before = (await query.executeTakeFirst())?.value;
    const wasLive = before === "live";
    if (wasLive && isLive) return undefined;
    if (wasLive && (await trx.selectFrom("stripe_customer").select("owner_id").limit(1).executeTakeFirst()))
      return liveCustomersProblem;
    if (isLive && before === "test") {
      await trx.updateTable("stripe_customer").set({ is_read: 0 }).execute();
      await trx.deleteFrom("stripe_invoice").execute();
    }
    const value = isLive ? "live" : "test";
    await trx
      .insertInto("setting")
      .values({ name: modeSetting, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
    return undefined;
  });
}
