import type { Stripe } from "stripe";

import { priceOf } from "#app/features/billing/rules.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { findSetting, saveSetting } from "#app/services/config/setting-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

import { idOf, planPrices, rememberPrices } from "./price-data.server.ts";
import type { PlanPrice } from "./price-data.server.ts";

/**
 * Compares the prices at Stripe with those of the pricing page, before the first request. Throws a start problem for a wrong one, and for a
 * test key with live customers. While Stripe can't be reached, the program starts all the same.
 */
export async function checkPrices({ stripe, log, db }: Pick<Services, "stripe" | "log" | "db">): Promise<void> {
  if (!stripe) return;
  const problems: string[] = [];
  const prices: ReadPrice[] = [];
  for (const wanted of planPrices) {
    try {
      const { problem, price } = await readPrice(stripe, wanted);
      if (problem) problems.push(`${wanted.setting} ${problem}`);
      if (price) prices.push(price);
    } catch (error) {
      log.warn({ err: error }, "The prices at Stripe could not be checked.");
      if (problems.length === 0) return;
      break;
    }
  }
  if (problems.length > 0) throw startProblem(problems.join("\n"));
  const modeProblem = await storeMode(
    db,
    prices.some(({ isLive }) => isLive),
  );
  if (modeProblem !== undefined) throw startProblem(modeProblem);
  await rememberPrices(db, prices);
}

type ReadPrice = { id: string; productId: string; plan: string; isLive: boolean };

async function readPrice(
  stripe: StripeApi,
  wanted: PlanPrice,
): Promise<{ problem: string | undefined; price?: ReadPrice }> {
  const id = stripe.settings[wanted.name];
  try {
    const price = await stripe.forPage((client) => client.prices.retrieve(id));
    const known = { id, productId: idOf(price.product), plan: wanted.plan.id, isLive: price.livemode };
    return { problem: priceProblem(price, wanted), price: known };
  } catch (error) {
    if (isUnknownAtStripe(error)) return { problem: `names a price (${id}) that this Stripe account doesn’t have.` };
    throw error;
  }
}

/** Why a price isn't the one of the pricing page, as the rest of a sentence. */
export function priceProblem(
  { active, recurring, currency, unit_amount }: Pick<Stripe.Price, "active" | "recurring" | "currency" | "unit_amount">,
  { plan, period }: Pick<PlanPrice, "plan" | "period">,
): string | undefined {
  const shown = priceOf(plan, period);
  const interval = period === "yearly" ? "year" : "month";
  if (!active) return "names a price that is archived at Stripe.";
  if (recurring?.interval !== interval || recurring.interval_count !== 1)
    return `names a price that isn’t charged once a ${interval}.`;
  if (currency !== "usd") return `names a price in ${currency.toUpperCase()}, but the pricing page shows USD.`;
  if (unit_amount !== Math.round(shown * 100)) {
    const charged = unit_amount === null ? "no fixed amount" : `$${(unit_amount / 100).toFixed(2)}`;
    return `names a price of ${charged}, but the pricing page shows $${shown.toFixed(2)}.`;
  }
  return undefined;
}

/** The row of `setting` with the kind of the key that was last used: "test" or "live". */
const modeSetting = "stripe-mode";

const liveCustomersProblem =
  "STRIPE_SECRET_KEY is a test key, but this database has customers of a live key, whom Stripe would go on charging. " +
  "Use the live key again, or try things out with another database.";

/**
 * Stores whether the key is a live one. After a test key, all customers are read again: those of the test key don't exist there. Returns why
 * the program can't start when live customers are stored and the key is a test key, which can't end what they pay for.
 */
async function storeMode(db: Db, isLive: boolean): Promise<string | undefined> {
  return transact(db, async (trx) => {
    const before = await findSetting(trx, modeSetting);
    const wasLive = before === "live";
    if (wasLive && isLive) return undefined;
    if (wasLive && (await trx.selectFrom("stripe_customer").select("owner_id").limit(1).executeTakeFirst()))
      return liveCustomersProblem;
    if (isLive && before === "test") {
      await trx.updateTable("stripe_customer").set({ is_read: 0 }).execute();
      await trx.deleteFrom("stripe_invoice").execute();
    }
    await saveSetting(trx, modeSetting, isLive ? "live" : "test");
    return undefined;
  });
}
