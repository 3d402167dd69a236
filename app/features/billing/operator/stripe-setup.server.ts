import type { Stripe } from "stripe";

import { isPaid, planList } from "#app/features/billing/rules.ts";
import { planPrices } from "#app/features/billing/stripe/price-data.server.ts";
import { webhookEvents } from "#app/features/billing/stripe/webhook-handler.server.ts";
import { stripeApiVersion } from "#app/services/stripe/stripe.server.ts";

import { ensurePrice, ensureProduct, productOf } from "./product-setup.server.ts";
import type { SetupResult, SetupRun } from "./product-setup.server.ts";
import { newSecretHint, webhookUrl } from "./stripe-setup-messages.ts";

/** What the Stripe account needs for this site. `apply`: whether missing parts are created, or only reported. */
export type SetupOptions = { baseUrl: string; apply: boolean; webhook: "none" | "keep" | "replace" };

/**
 * Creates the product, its prices, the configuration of the customer portal and the webhook endpoint, or corrects those that an earlier run
 * created. Nothing is changed when everything is right. Throws the errors of the SDK.
 */
export async function setUpStripe(client: Stripe, { baseUrl, apply, webhook }: SetupOptions): Promise<SetupResult> {
  const run: SetupRun = { client, apply, changes: [], notes: [], settings: {} };
  const products: Product[] = [];
  for (const plan of planList.filter(isPaid)) {
    await ensureProduct(run, plan);
    const prices: string[] = [];
    for (const price of planPrices.filter((one) => one.plan === plan)) {
      const id = await ensurePrice(run, price);
      if (id !== undefined) run.settings[price.setting] = id;
      prices.push(id ?? "");
    }
    products.push({ product: productOf(plan), prices });
  }
  await ensurePortal(run, baseUrl, products);
  if (webhook !== "none") await ensureWebhook(run, webhookUrl(baseUrl), webhook === "replace");
  const { changes, notes, settings } = run;
  return { changes, notes, settings };
}

type Product = { product: string; prices: string[] };

/** Of this site alone: the configuration is found by the address in its metadata. */
async function ensurePortal(run: SetupRun, baseUrl: string, products: Product[]): Promise<void> {
  const { client, changes, settings } = run;
  const wanted = portalParameters(baseUrl, products);
  const found = await findPortal(client, baseUrl);
  if (found) settings.STRIPE_PORTAL_CONFIGURATION = found.id;
  if (found && contains(found, wanted)) return;
  if (!run.apply) return void changes.push(`The customer portal's configuration ${found ? "differs" : "is missing"}.`);
  const { configurations } = client.billingPortal;
  const { id } = await (found ? configurations.update(found.id, wanted) : configurations.create(wanted));
  settings.STRIPE_PORTAL_CONFIGURATION = id;
  changes.push(`${found ? "Corrected" : "Created"} the configuration of the customer portal (${id}).`);
}

async function findPortal(client: Stripe, baseUrl: string): Promise<Stripe.BillingPortal.Configuration | undefined> {
  for await (const one of client.billingPortal.configurations.list({ active: true, limit: 100 }))
    if (one.metadata?.meishi_site === baseUrl) return one;
  return undefined;
}

function portalParameters(baseUrl: string, products: Product[]) {
  return {
    business_profile: { privacy_policy_url: `${baseUrl}/privacy`, terms_of_service_url: `${baseUrl}/terms` },
    default_return_url: `${baseUrl}/account`,
    features: {
      // What an invoice shows. The email is the account's.
      customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price"],
        proration_behavior: "always_invoice",
        products,
      },
    },
    // Stripe's response leaves out the products, so the prices are compared here.
    metadata: { meishi_site: baseUrl, meishi_prices: products.flatMap(({ prices }) => prices).join(" ") },
  } as const satisfies Stripe.BillingPortal.ConfigurationCreateParams;
}

/** An endpoint keeps its API version and its secret, which is only shown once: another one needs a new endpoint. */
async function ensureWebhook(run: SetupRun, url: string, isReplaced: boolean): Promise<void> {
  const { client, changes, notes } = run;
  const existing: Stripe.WebhookEndpoint[] = [];
  for await (const one of client.webhookEndpoints.list({ limit: 100 })) if (one.url === url) existing.push(one);
  const [endpoint, ...others] = existing;
  if (!endpoint || isReplaced) {
    await createEndpoint(run, url, existing);
    return;
  }
  if (endpoint.status !== "enabled" || !isSameList(endpoint.enabled_events, webhookEvents)) {
    if (run.apply)
      await client.webhookEndpoints.update(endpoint.id, { enabled_events: [...webhookEvents], disabled: false });
    changes.push(
      run.apply
        ? `Corrected the webhook endpoint (${endpoint.id}).`
        : "The webhook endpoint is disabled, or has other events.",
    );
  }
  if (endpoint.api_version !== stripeApiVersion)
    notes.push(
      `The webhook endpoint has the API version ${endpoint.api_version ?? "of the account"} instead of ${stripeApiVersion}. ${newSecretHint}`,
    );
  if (others.length > 0) notes.push(`Stripe has ${existing.length} webhook endpoints for ${url}. ${newSecretHint}`);
}

async function createEndpoint(
  { client, apply, changes, notes, settings }: SetupRun,
  url: string,
  old: { id: string }[],
) {
  if (!apply) return void changes.push(`There is no webhook endpoint for ${url}.`);
  const created = await client.webhookEndpoints.create({
    url,
    enabled_events: [...webhookEvents],
    api_version: stripeApiVersion,
    description: "Meishi",
  });
  changes.push(`Created the webhook endpoint ${url} (${created.id}).`);
  if (created.secret !== undefined) settings.STRIPE_WEBHOOK_SECRET = created.secret;
  for (const { id } of old) {
    try {
      await client.webhookEndpoints.del(id);
      changes.push(`Deleted the previous webhook endpoint (${id}).`);
    } catch {
      // The new secret, which Stripe shows once, must still be printed.
      notes.push(
        `The previous webhook endpoint (${id}) could not be deleted. Delete it in the Stripe dashboard, under Developers > Webhooks.`,
      );
    }
  }
}

function isSameList(list: readonly string[], wanted: readonly string[]): boolean {
  return list.length === wanted.length && wanted.every((one) => list.includes(one));
}

/** Whether `actual` has every value of `wanted`; lists in any order. Ignores what Stripe doesn't return. */
function contains(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(actual) && isSameList(actual.map(String), wanted.map(String));
  if (typeof wanted !== "object" || wanted === null) return actual === wanted;
  const fields: Record<string, unknown> = typeof actual === "object" && actual !== null ? { ...actual } : {};
  return Object.entries(wanted).every(([name, value]) => name === "products" || contains(fields[name], value));
}
