import { isIP } from "node:net";

import { backupTargetProblem } from "./backup-settings.ts";
import { applePasses, googleWallet, microsoft, providers, s3, single, stripe } from "./settings.ts";
import type { ContactClient, OAuthClient, ProviderSettings, StripeAccess } from "./settings.ts";
import { isSettingProblem, localHosts } from "./setting-values.ts";
import type { PremiumAccess, Setting, Settings, Values } from "./setting-values.ts";

type Environment = Record<string, string | undefined>;

/** What the settings of settings.ts say, and what follows from them. */
export type Config = ReturnType<typeof readValues>;

/** The process's environment. No other code reads it. */
export const environment = (): Environment => process.env;

/** Reads the environment and reports all mistakes in it at once. */
export function readConfig(env: Environment, cwd: string): { config: Config } | { problems: string[] } {
  const problems: string[] = [];
  const config = readValues(env, cwd, problems);
  return problems.length > 0 ? { problems } : { config };
}

function readValues(env: Environment, cwd: string, problems: string[]) {
  const { readAll, readGroup, readLeniently } = createReader(env, cwd);
  const { planForEveryone, ...values } = readAll(single, problems);
  const baseUrl = values.baseUrl ?? `http://localhost:${values.port}`;
  if (values.port === 0 && values.baseUrl === undefined)
    problems.push("PORT is 0 (any free port), so BASE_URL must be set. Otherwise, links wouldn't work.");
  const { hostname } = new URL(baseUrl);
  const isLocal = localHosts.includes(hostname);
  const stripeAccount = readGroup(stripe, problems);
  const { monthly, yearly } = stripeAccount ?? {};
  if (monthly !== undefined && monthly === yearly)
    problems.push("STRIPE_PRICE_YEARLY is the same price as STRIPE_PRICE_MONTHLY.");
  if (planForEveryone && stripeAccount)
    problems.push(
      "PLAN_FOR_EVERYONE gives everyone Premium, so there is nothing to sell. Remove it, or the settings of Stripe.",
    );
  const s3Account = readGroup(s3, problems);
  const targetProblem = backupTargetProblem(values.backupTo, { dataDir: values.dataDir, s3: s3Account });
  if (targetProblem) problems.push(targetProblem);
  const premium: PremiumAccess = planForEveryone ? "everyone" : stripeAccount ? "sold" : "granted";
  const passes = readLeniently(applePasses);
  const connected = Object.entries(providers).flatMap(([id, group]) => {
    // Passes need a team, too: it alone isn't half a provider.
    const found = readGroup<Settings>(group, problems, passes && providers.apple.teamId.env);
    return found ? [[id, found] as const] : [];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each was read by its own declaration
  const providerSettings = Object.fromEntries(connected) as ProviderSettings;
  const google = values.googleContacts ? providerSettings.google : undefined;
  if (values.googleContacts && !google)
    problems.push("GOOGLE_CONTACTS needs GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.");
  const contactClients: Record<ContactClient, OAuthClient | undefined> = {
    google,
    microsoft: readGroup(microsoft, problems),
  };
  return {
    ...values,
    /** The origin under which visitors reach us, without a slash at its end. */
    baseUrl,
    host: values.host ?? (isLocal ? "127.0.0.1" : "0.0.0.0"),
    /** As in a mail's From: `Meishi <no-reply@example.com>`. */
    mailFrom: values.mailFrom ?? `Meishi <no-reply@${isIP(hostname) ? "localhost" : hostname}>`,
    demo: values.demo ?? isLocal,
    premium,
    s3: s3Account,
    /** How Premium is sold; undefined: it isn't. */
    stripe: stripeAccount,
    providers: providerSettings,
    /** With which owners let us change their contacts at a service. */
    contactClients,
    applePasses: passes,
    googleWallet: readLeniently(googleWallet),
    /** Whether BASE_URL is this machine, as in development or a trial. */
    isLocal,
  };
}

/** What `npm run billing` needs to change a Stripe account, before anything can be sold. Adds what is wrong to `problems`. */
export function readStripeAccess(env: Environment, problems: string[]): StripeAccess {
  const { secretKey, apiUrl } = stripe;
  if (!env[secretKey.env]?.trim())
    problems.push("STRIPE_SECRET_KEY isn't set. It's in the Stripe dashboard under Developers > API keys.");
  return createReader(env, "").readAll({ secretKey, apiUrl }, problems);
}

/** Paths start from `cwd`. `problems` gets a sentence that starts with its name for each wrong or missing setting. */
function createReader(env: Environment, cwd: string) {
  /** An empty variable counts as unset, because compose files set empty ones. */
  const textOf = (setting: Setting) => env[setting.env]?.trim() ?? "";

  function read(setting: Setting, problems: string[]): unknown {
    const standard = setting.default === undefined ? undefined : setting.parse(setting.default, cwd);
    const value = textOf(setting) ? setting.parse(textOf(setting), cwd) : standard;
    if (!isSettingProblem(value)) return value;
    problems.push(`${setting.env} ${value.problem}`);
    return standard;
  }

  function readAll<S extends Settings>(group: S, problems: string[]): Values<S> {
    const values = Object.entries(group).map(([key, setting]) => [key, read(setting, problems)]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what isn't of its type has an entry in `problems`
    return Object.fromEntries(values) as Values<S>;
  }

  /** The values of settings that need each other; undefined if none is set. `shared`: one that another group also has. */
  function readGroup<S extends Settings>(group: S, problems: string[], shared?: string): Values<S> | undefined {
    const values = readAll(group, problems);
    const [used] = Object.entries(group).flatMap(([key, setting]) =>
      setting.doc && setting.env !== shared && textOf(setting) && values[key] !== false ? setting.env : [],
    );
    if (used === undefined) return undefined;
    const missing = Object.values(group).flatMap((setting) =>
      setting.default === undefined && setting.without === undefined && !textOf(setting) ? setting.env : [],
    );
    if (missing.length > 0) problems.push(`${missing.join(" and ")} must also be set, because ${used} is set.`);
    return values;
  }

  /** A group whose problems don't stop the site. */
  function readLeniently<S extends Settings>(group: S): (Partial<Values<S>> & { problems: string[] }) | undefined {
    const problems: string[] = [];
    const values: Partial<Values<S>> | undefined = readGroup(group, problems);
    return values && { ...values, problems };
  }

  return { readAll, readGroup, readLeniently };
}
