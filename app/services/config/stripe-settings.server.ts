import { isSettingProblem, parseSwitch } from "./setting-values.ts";

export type StripeSettings = {
  secretKey: string;
  webhookSecret: string;
  /** The ids of the prices that Premium is sold at. */
  prices: { monthly: string; yearly: string };
  /** The id of the configuration of the customer portal; undefined: the default one of the Stripe account. */
  portalConfiguration: string | undefined;
  /** Stripe calculates the tax, and asks companies for their tax ID. */
  hasTax: boolean;
  /** Where the API is; undefined: at Stripe. */
  apiUrl: string | undefined;
};

/** Rows of docs/settings.md. */
export const stripeSettings = [
  {
    name: "STRIPE_SECRET_KEY",
    default: "none: Premium isn't sold",
    meaning: "Secret key of your Stripe account (`sk_…` or `rk_…`). See [docs/billing.md](docs/billing.md).",
  },
  {
    name: "STRIPE_WEBHOOK_SECRET",
    default: "none",
    meaning: "Signing secret (`whsec_…`) of the webhook endpoint `BASE_URL/webhooks/stripe`.",
  },
  { name: "STRIPE_PRICE_MONTHLY", default: "none", meaning: "ID of the monthly price of Premium (`price_…`)." },
  { name: "STRIPE_PRICE_YEARLY", default: "none", meaning: "ID of the yearly price of Premium." },
  {
    name: "STRIPE_PORTAL_CONFIGURATION",
    default: "none: the portal settings of the Stripe account",
    meaning: "ID of the customer portal's configuration (`bpc_…`), as `npm run billing -- setup` prints it.",
  },
  {
    name: "STRIPE_TAX",
    default: "`off`",
    meaning: "`on` lets Stripe Tax calculate taxes at the checkout, and companies enter their tax ID.",
  },
] as const;

type RequiredName = Exclude<(typeof stripeSettings)[number]["name"], "STRIPE_TAX" | "STRIPE_PORTAL_CONFIGURATION">;

const required: readonly { name: RequiredName; pattern: RegExp; problem: string }[] = [
  { name: "STRIPE_SECRET_KEY", pattern: /^[sr]k_\w+$/, problem: "must be a secret key, which starts with sk_ or rk_." },
  { name: "STRIPE_WEBHOOK_SECRET", pattern: /^whsec_[\w+/=]+$/, problem: "must start with whsec_." },
  {
    name: "STRIPE_PRICE_MONTHLY",
    pattern: /^price_\w+$/,
    problem: "must be the ID of a price, which starts with price_.",
  },
  {
    name: "STRIPE_PRICE_YEARLY",
    pattern: /^price_\w+$/,
    problem: "must be the ID of a price, which starts with price_.",
  },
];

/**
 * Reads the settings named STRIPE_*; returns undefined when Premium isn't sold. Adds what is missing or wrong to `problems`, without
 * repeating a value. `get` returns "" for an unset variable.
 */
export function readStripeSettings(get: (name: string) => string, problems: string[]): StripeSettings | undefined {
  const missing = required.filter(({ name }) => !get(name)).map(({ name }) => name);
  const tax = get("STRIPE_TAX") ? parseSwitch(get("STRIPE_TAX")) : false;
  if (isSettingProblem(tax)) problems.push(`STRIPE_TAX ${tax.problem}`);
  const portalConfiguration = get("STRIPE_PORTAL_CONFIGURATION") || undefined;
  if (portalConfiguration !== undefined && !/^bpc_\w+$/.test(portalConfiguration))
    problems.push("STRIPE_PORTAL_CONFIGURATION must be the ID of a portal configuration, which starts with bpc_.");
  if (missing.length === required.length) {
    const extra = tax === true ? "STRIPE_TAX" : portalConfiguration && "STRIPE_PORTAL_CONFIGURATION";
    if (extra) problems.push(`STRIPE_SECRET_KEY must also be set, because ${extra} is set.`);
    return undefined;
  }
  if (missing.length > 0)
    problems.push(`${missing.join(" and ")} must also be set: selling Premium needs the keys and both prices.`);
  for (const { name, pattern, problem } of required)
    if (get(name) && !pattern.test(get(name))) problems.push(`${name} ${problem}`);
  const prices = { monthly: get("STRIPE_PRICE_MONTHLY"), yearly: get("STRIPE_PRICE_YEARLY") };
  if (prices.monthly && prices.monthly === prices.yearly)
    problems.push("STRIPE_PRICE_YEARLY is the same price as STRIPE_PRICE_MONTHLY.");
  return {
    secretKey: get("STRIPE_SECRET_KEY"),
    webhookSecret: get("STRIPE_WEBHOOK_SECRET"),
    prices,
    portalConfiguration,
    hasTax: tax === true,
    apiUrl: readLocalUrl(get("STRIPE_API_URL"), problems),
  };
}

/** What the operator's command needs to change a Stripe account, before anything can be sold. Adds what is wrong to `problems`. */
export function readStripeAccess(get: (name: string) => string, problems: string[]): StripeAccess {
  const [keyRule] = required;
  const secretKey = get("STRIPE_SECRET_KEY");
  if (!secretKey)
    problems.push("STRIPE_SECRET_KEY isn't set. It's in the Stripe dashboard under Developers > API keys.");
  else if (keyRule && !keyRule.pattern.test(secretKey)) problems.push(`STRIPE_SECRET_KEY ${keyRule.problem}`);
  return { secretKey, apiUrl: readLocalUrl(get("STRIPE_API_URL"), problems) };
}

export type StripeAccess = Pick<StripeSettings, "secretKey" | "apiUrl">;

/** A server on this machine that takes Stripe's part in a test. Another host would get the secret key. */
function readLocalUrl(text: string, problems: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname)) return url.origin;
  problems.push("STRIPE_API_URL is for tests: it must be a server on this machine.");
  return undefined;
}
