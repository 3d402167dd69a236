import type { Stripe } from "stripe";

import { plans, yearlyPrice } from "#app/features/billing/rules.ts";
import type { BillingPeriod } from "#app/features/billing/rules.ts";
import { priceProblem } from "#app/features/billing/stripe/price-checks.server.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";

export type SetupResult = {
  /** What was created or changed or, without `apply`, what should be. A sentence each. */
  changes: string[];
  /** What the operator should know besides. */
  notes: string[];
  /** By name. Without `apply`, only those of parts that exist. The signing secret is only known when its endpoint was created. */
  settings: Partial<Record<SetupSetting, string>>;
};

export type SetupSetting =
  | "STRIPE_PRICE_MONTHLY"
  | "STRIPE_PRICE_YEARLY"
  | "STRIPE_PORTAL_CONFIGURATION"
  | "STRIPE_WEBHOOK_SECRET";

/** One run: what it may do, and what it has done. */
export type SetupRun = SetupResult & { client: Stripe; apply: boolean };

/** Ours, so that a second run finds the product, and two runs can't create two. */
export const productId = "meishi_premium";

export async function ensureProduct({ client, apply, changes }: SetupRun): Promise<void> {
  const found = await findProduct(client);
  if (found?.active) return;
  if (!apply) return void changes.push(`The product ${productId} is ${found ? "archived" : "missing"}.`);
  if (found) await client.products.update(productId, { active: true });
  else await client.products.create({ id: productId, name: "Meishi Premium" });
  changes.push(`${found ? "Restored" : "Created"} the product Meishi Premium (${productId}).`);
}

async function findProduct(client: Stripe): Promise<Stripe.Product | undefined> {
  try {
    return await client.products.retrieve(productId);
  } catch (error) {
    if (isUnknownAtStripe(error)) return undefined;
    throw error;
  }
}

/**
 * The id of the price of a period, which its lookup key finds. Amounts of a price can't be changed at Stripe: another amount is a new price,
 * which takes over the lookup key, and existing subscriptions stay at the old one. Undefined if it is missing and isn't created.
 */
export async function ensurePrice(run: SetupRun, period: BillingPeriod): Promise<string | undefined> {
  const { client, apply, changes } = run;
  const lookupKey = `${productId}_${period}`;
  const { data } = await client.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [found] = data;
  if (found && productOf(found) === productId && priceProblem(found, period) === undefined) return found.id;
  const shown = period === "yearly" ? yearlyPrice(plans.premium) : plans.premium.monthlyPrice;
  if (!apply) {
    changes.push(`The ${period} price ${found ? `${found.id} isn't $${shown.toFixed(2)}` : "is missing"}.`);
    return undefined;
  }
  const { id } = await client.prices.create({
    product: productId,
    currency: "usd",
    unit_amount: Math.round(shown * 100),
    recurring: { interval: period === "yearly" ? "year" : "month" },
    lookup_key: lookupKey,
    transfer_lookup_key: true,
  });
  const kept = found ? ` Existing subscriptions stay at ${found.id}.` : "";
  changes.push(`Created the ${period} price of $${shown.toFixed(2)} (${id}).${kept}`);
  return id;
}

function productOf({ product }: Stripe.Price): string {
  return typeof product === "string" ? product : product.id;
}
