import { billingPeriods, isPlanId, planList } from "#app/features/billing/rules.ts";
import type { BillingPeriod, Plan } from "#app/features/billing/rules.ts";
import { priceSettings } from "#app/services/config/settings.ts";
import type { PriceSetting } from "#app/services/config/settings.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

/** A price at Stripe with its product. */
export type PriceOfProduct = { id: string; productId: string };

/** A price of a paid plan. `setting`: the environment variable with its id. */
export type PlanPrice = { plan: Plan; period: BillingPeriod; name: PriceSetting; setting: string };

export const planPrices: readonly PlanPrice[] = planList.flatMap((plan) =>
  billingPeriods.flatMap((period) => {
    const name = plan.prices?.[period];
    return name ? [{ plan, period, name, setting: priceSettings[name].env }] : [];
  }),
);

/** What is sold here gives its plan for good: a subscriber keeps it when the operator sells at other prices. */
export async function rememberPrices(db: Db, prices: readonly SoldPrice[]): Promise<void> {
  for (const { id, productId, plan } of prices)
    await db
      .insertInto("stripe_price")
      .values({ id, product_id: productId, plan })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ product_id: productId, plan }))
      .execute();
}

type SoldPrice = PriceOfProduct & { plan: string };

type PriceDeps = { db: Db; stripe: StripeApi; send: StripeApi["forPage"] };

/**
 * Stores which plans these prices of subscriptions give: those that were ever for sale here, and the others of their products. The prices for
 * sale are read from Stripe if that wasn't possible at the start.
 */
export async function learnPrices({ db, stripe, send }: PriceDeps, prices: readonly PriceOfProduct[]): Promise<void> {
  const stored = await db.selectFrom("stripe_price").selectAll().execute();
  const isStored = (id: string) => stored.some((price) => price.id === id);
  if (prices.every(({ id }) => isStored(id))) return;
  const forSale = planPrices.filter(({ name }) => !isStored(stripe.settings[name]));
  const sold = await Promise.all(
    forSale.map(async ({ name, plan }) => {
      const { id, product } = await send((client) => client.prices.retrieve(stripe.settings[name]));
      return { id, productId: idOf(product), plan: plan.id };
    }),
  );
  const planOf = new Map<string, string>(stored.map(({ product_id, plan }) => [product_id, plan]));
  for (const { productId, plan } of sold) planOf.set(productId, plan);
  const learned = prices.flatMap((price) => {
    const plan = planOf.get(price.productId);
    return plan !== undefined && !isStored(price.id) ? [{ ...price, plan }] : [];
  });
  await rememberPrices(db, [...sold, ...learned]);
}

/** Of these prices, those that give no plan. */
export async function listUnknownPrices(db: Db | Trx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = await db.selectFrom("stripe_price").select(["id", "plan"]).where("id", "in", ids).execute();
  return [...new Set(ids)].filter((id) => !known.some((price) => price.id === id && isPlanId(price.plan)));
}

/** The id in a field of Stripe that may be expanded. */
export function idOf(field: string | { id: string }): string {
  return typeof field === "string" ? field : field.id;
}
