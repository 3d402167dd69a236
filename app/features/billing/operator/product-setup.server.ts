import type { Stripe } from "stripe";

import { priceOf } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { priceProblem } from "#app/features/billing/stripe/price-checks.server.ts";
import { idOf } from "#app/features/billing/stripe/price-data.server.ts";
import type { PlanPrice } from "#app/features/billing/stripe/price-data.server.ts";
import { isUnknownAtStripe } from "#app/services/stripe/stripe.server.ts";

export type SetupResult = {
  /** What was created or changed or, without `apply`, what should be. A sentence each. */
  changes: string[];
  /** What the operator should know besides. */
  notes: string[];
  /** By name. Without `apply`, only those of parts that exist. The signing secret is only known when its endpoint was created. */
  settings: Record<string, string>;
};

/** One run: what it may do, and what it has done. */
export type SetupRun = SetupResult & { client: Stripe; apply: boolean };

/** The id of a plan's product. Ours, so that a second run finds the product, and two runs can't create two. */
export function productOf({ id }: Pick<Plan, "id">): string {
  return `meishi_${id}`;
}

export async function ensureProduct({ client, apply, changes }: SetupRun, plan: Plan): Promise<void> {
  const [productId, name] = [productOf(plan), `Meishi ${plan.name}`];
  const found = await findProduct(client, productId);
  if (found?.active) return;
  if (!apply) return void changes.push(`The product ${productId} is ${found ? "archived" : "missing"}.`);
  if (found) await client.products.update(productId, { active: true });
  else await client.products.create({ id: productId, name });
  changes.push(`${found ? "Restored" : "Created"} the product ${name} (${productId}).`);
}

async function findProduct(client: Stripe, productId: string): Promise<Stripe.Product | undefined> {
  try {
    return await client.products.retrieve(productId);
  } catch (error) {
    if (isUnknownAtStripe(error)) return undefined;
    throw error;
  }
}

/**
 * The id of a price, which its lookup key finds. Amounts of a price can't be changed at Stripe: another amount is a new price,
 * which takes over the lookup key, and existing subscriptions stay at the old one. Undefined if it is missing and isn't created.
 */
export async function ensurePrice(run: SetupRun, { plan, period }: PlanPrice): Promise<string | undefined> {
  const { client, apply, changes } = run;
  const productId = productOf(plan);
  const lookupKey = `${productId}_${period}`;
  const { data } = await client.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [found] = data;
  if (found && idOf(found.product) === productId && priceProblem(found, { plan, period }) === undefined)
    return found.id;
  const shown = priceOf(plan, period);
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
