import type { PortalConfiguration, Price, Product, WebhookEndpoint } from "./stripe-objects.ts";
import { list, matches, missing, ok, refuse, textOf } from "./stripe-responses.ts";
import type { ApiResponse } from "./stripe-responses.ts";
import type { StripeState } from "./stripe-state.ts";

type Fields = Record<string, unknown>;

/** What an operator sets up in an account, once. */
export function createCatalog(state: StripeState): Record<string, (fields: Fields, id: string) => ApiResponse> {
  const { products, prices, portalConfigurations, webhookEndpoints } = state;

  function createPrice(fields: Fields): ApiResponse {
    const product = products.get(textOf(fields.product));
    if (!product) return missing("product", textOf(fields.product));
    const lookupKey = textOf(fields.lookup_key) || null;
    const holder = [...prices.values()].find((price) => lookupKey !== null && price.lookup_key === lookupKey);
    if (holder && fields.transfer_lookup_key !== "true")
      return refuse(400, `A price (\`${holder.id}\`) already uses that lookup key.`, "resource_already_exists");
    if (holder) holder.lookup_key = null;
    const { interval } = fieldsOf(fields.recurring);
    if (interval !== "month" && interval !== "year") return refuse(400, "Invalid recurring[interval].");
    const price: Price = {
      id: state.newId("price"),
      object: "price",
      active: true,
      currency: textOf(fields.currency),
      unit_amount: Number(fields.unit_amount),
      type: "recurring",
      lookup_key: lookupKey,
      livemode: false,
      product: product.id,
      recurring: { interval, interval_count: 1 },
      metadata: {},
    };
    prices.set(price.id, price);
    return ok(price);
  }

  /** Refuses products that the account doesn't have. The response leaves the products out: they have to be expanded. */
  function savePortal(fields: Fields, id: string): ApiResponse {
    const features = booleans(fieldsOf(fields.features));
    const { products: chosen, ...update } = fieldsOf(features.subscription_update);
    const offered = Object.values(fieldsOf(chosen)).map(fieldsOf);
    for (const { product, prices: ids } of offered) {
      if (!products.has(textOf(product))) return missing("product", textOf(product));
      const unknown = textsOf(ids).find((one) => prices.get(one)?.product !== product);
      if (unknown !== undefined) return missing("price", unknown);
    }
    const configuration: PortalConfiguration = {
      id,
      object: "billing_portal.configuration",
      active: true,
      is_default: false,
      business_profile: fieldsOf(fields.business_profile),
      default_return_url: textOf(fields.default_return_url) || null,
      features: { ...features, subscription_update: update },
      metadata: textFieldsOf(fields.metadata),
    };
    portalConfigurations.set(id, configuration);
    state.portalPrices.set(
      id,
      offered.flatMap(({ prices: ids }) => textsOf(ids)),
    );
    return ok(configuration);
  }

  function createEndpoint(fields: Fields): ApiResponse {
    const url = URL.parse(textOf(fields.url));
    if (url?.protocol !== "https:" || !url.hostname.includes("."))
      return refuse(400, "Invalid URL: URL must be publicly accessible.", "url_invalid");
    const endpoint: WebhookEndpoint = {
      id: state.newId("we"),
      object: "webhook_endpoint",
      url: url.href,
      status: "enabled",
      api_version: textOf(fields.api_version) || null,
      enabled_events: textsOf(fields.enabled_events),
      description: textOf(fields.description) || null,
    };
    webhookEndpoints.set(endpoint.id, endpoint);
    // Shown once.
    return ok({ ...endpoint, secret: `whsec_${endpoint.id}` });
  }

  return {
    "GET products/:id": (_, id) => ok(products.get(id), id),
    "POST products": ({ id, name }) => {
      const product: Product = {
        id: textOf(id) || state.newId("prod"),
        object: "product",
        active: true,
        name: textOf(name),
      };
      if (products.has(product.id)) return refuse(400, "Product already exists.", "resource_already_exists");
      products.set(product.id, product);
      return ok(product);
    },
    "POST products/:id": ({ active }, id) => {
      const product = products.get(id);
      if (product && active !== undefined) product.active = active === "true";
      return ok(product, id);
    },
    "GET prices": (fields) =>
      list([...prices.values()], fields, (price) => {
        const keys = textsOf(fields.lookup_keys);
        const isActive = fields.active === undefined || String(price.active) === fields.active;
        return isActive && (keys.length === 0 || keys.includes(price.lookup_key ?? ""));
      }),
    "POST prices": createPrice,
    "GET billing_portal/configurations": (fields) =>
      list([...portalConfigurations.values()], fields, ({ active }) =>
        matches({ active: String(active) }, fields, ["active"]),
      ),
    "POST billing_portal/configurations": (fields) => savePortal(fields, state.newId("bpc")),
    "POST billing_portal/configurations/:id": (fields, id) =>
      portalConfigurations.has(id) ? savePortal(fields, id) : missing("configuration", id),
    "GET webhook_endpoints": (fields) => list([...webhookEndpoints.values()], fields, () => true),
    "POST webhook_endpoints": createEndpoint,
    "POST webhook_endpoints/:id": ({ enabled_events, disabled }, id) => {
      const endpoint = webhookEndpoints.get(id);
      if (endpoint && enabled_events !== undefined) endpoint.enabled_events = textsOf(enabled_events);
      if (endpoint && disabled !== undefined) endpoint.status = disabled === "true" ? "disabled" : "enabled";
      return ok(endpoint, id);
    },
    "DELETE webhook_endpoints/:id": (_, id) =>
      webhookEndpoints.delete(id)
        ? ok({ id, object: "webhook_endpoint", deleted: true })
        : missing("webhook_endpoint", id),
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textFieldsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, text]) => [name, textOf(text)]));
}

/** A list in a form: { 0: "a", 1: "b" } -> ["a", "b"]. */
function textsOf(value: unknown): string[] {
  return Object.values(fieldsOf(value)).map(textOf);
}

/** What the form has as text, as Stripe returns it: switches as booleans, lists as lists. */
function booleans(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (value === "true" || value === "false") return [name, value === "true"];
      const isList = name === "allowed_updates" || name === "default_allowed_updates";
      if (isList) return [name, textsOf(value)];
      return [name, typeof value === "object" && name !== "products" ? booleans(fieldsOf(value)) : value];
    }),
  );
}
