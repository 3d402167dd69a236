import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { StripeApi } from "#app/services/stripe/stripe.server.ts";

/** A price at Stripe with its product. */
export type PriceOfProduct = { id: string; productId: string };

/** What is sold here gives Premium for good: a subscriber keeps it when the operator sells at other prices. */
export async function rememberPrices(db: Db, prices: readonly PriceOfProduct[]): Promise<void> {
  for (const { id, productId } of prices)
    await db
      .insertInto("stripe_price")
      .values({ id, product_id: productId })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ product_id: productId }))
      .execute();
}

type PriceDeps = { db: Db; stripe: StripeApi; send: StripeApi["forPage"] };

/**
 * Stores which of these prices of subscriptions give Premium: those that were ever for sale here, and the others of their products. The prices
 * for sale are read from Stripe if that wasn't possible at the start.
 */
export async function learnPrices({ db, stripe, send }: PriceDeps, prices: readonly PriceOfProduct[]): Promise<void> {
  const stored = await db.selectFrom("stripe_price").selectAll().execute();
  const isStored = (id: string) => stored.some((price) => price.id === id);
  if (prices.every(({ id }) => isStored(id))) return;
  const { monthly, yearly } = stripe.settings;
  const forSale = [monthly, yearly].filter((id) => !isStored(id));
  const read = await Promise.all(forSale.map((id) => send((client) => client.prices.retrieve(id))));
  const sold = read.map(({ id, product }) => ({ id, productId: idOf(product) }));
  const products = [...stored.map(({ product_id }) => product_id), ...sold.map(({ productId }) => productId)];
  const learned = prices.filter(({ id, productId }) => !isStored(id) && products.includes(productId));
  await rememberPrices(db, [...sold, ...learned]);
}

/** Of these prices, those that don't give Premium. */
export async function listUnknownPrices(db: Db | Trx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const known = await db.selectFrom("stripe_price").select("id").where("id", "in", ids).execute();
  return [...new Set(ids)].filter((id) => !known.some((price) => price.id === id));
}

/** The id in a field of Stripe that may be expanded. */
export function idOf(field: string | { id: string }): string {
  return typeof field === "string" ? field : field.id;
}
