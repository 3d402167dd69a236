import { isIP } from "node:net";
import { resolve } from "node:path";

import { applePassSettings, readApplePassSettings } from "./apple-pass-settings.server.ts";
import type { ApplePassSettings } from "./apple-pass-settings.server.ts";
import { googleWalletSettings, readGoogleWalletSettings } from "./google-wallet-settings.server.ts";
import type { GoogleWalletSettings } from "./google-wallet-settings.server.ts";
import { providerSettings, readProviderSettings } from "./provider-settings.server.ts";
import type { ProviderSettings } from "./provider-settings.server.ts";
import {
  isSettingProblem,
  parseHeaderName,
  parseHost,
  parseMailAddress,
  parseMailAddresses,
  parseNetworks,
  parseOrigin,
  parsePlanForEveryone,
  parsePort,
  parseSender,
  parseServerUrl,
  parseSwitch,
  parseWebAddress,
  readS3Settings,
} from "./setting-values.ts";
import type { PremiumAccess, S3Settings, SettingProblem } from "./setting-values.ts";
import { readStripeSettings, stripeSettings } from "./stripe-settings.server.ts";
import type { StripeSettings } from "./stripe-settings.server.ts";

export type Config = {
  port: number;
  host: string;
  /** The origin under which visitors reach us, without a slash at its end. */
  baseUrl: string;
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | undefined;
  /** PostgreSQL's own address, if `databaseUrl` is that of a connection pooler. */
  databaseListenUrl: string | undefined;
  smtpUrl: string | undefined;
  /** As in a mail's From: `Meishi <no-reply@example.com>`. */
  mailFrom: string;
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  trustedProxy: string[];
  /** The header, in lower case, in which the proxy names the visitor's country. */
  countryHeader: string | undefined;
  /** The address that gets messages from /contact; undefined: the operator's in DATA_DIR/content/site.json. */
  contactTo: string | undefined;
  /** The operators' accounts, in lowercase. */
  adminEmails: string[];
  premium: PremiumAccess;
  /** Whether the sample profile and the samples on the landing page are shown. */
  demo: boolean;
  /** The web page of the repository that this installation's code comes from. */
  sourceUrl: string | undefined;
  /** Strict-Transport-Security also covers the subdomains of `baseUrl`. */
  hstsIncludesSubdomains: boolean;
  /** Where files are stored; undefined: in `dataDir`. */
  s3: S3Settings | undefined;
  /** Where users can sign in or connect accounts. */
  providers: ProviderSettings;
  /** How Premium is sold; undefined: it isn't. */
  stripe: StripeSettings | undefined;
  /** What Apple Wallet passes are signed with, as it was typed; undefined: there are none. A wrong value doesn't stop the site. */
  applePasses: ApplePassSettings | undefined;
  /** Google Wallet passes. */
  googleWallet: GoogleWalletSettings | undefined;
  /** Whether users can sign in with an Ethereum wallet. */
  web3SignIn: boolean;
  /** Whether BASE_URL is this machine, as in development or a trial. */
  isLocal: boolean;
};

const postgresProtocols = ["postgres:", "postgresql:"];

type Environment = Record<string, string | undefined>;

const ownSettings = [
  { name: "PORT", default: "`3000`", meaning: "Port to listen on. `0` takes any free port and needs `BASE_URL`." },
  {
    name: "HOST",
    default: "`127.0.0.1` if `BASE_URL` is localhost, otherwise `0.0.0.0`",
    meaning: "Address to listen on.",
  },
  {
    name: "BASE_URL",
    default: "`http://localhost:PORT`",
    meaning: "Public URL, used in every link, QR code and email. No path.",
  },
  {
    name: "DATA_DIR",
    default: "`./data`",
    meaning:
      "Folder for the database, uploaded files, secrets, your content (`content`) and stored emails. Back it up. Only one process can use it at a time.",
  },
  {
    name: "DATABASE_URL",
    default: "none: SQLite in `DATA_DIR`",
    meaning:
      "`postgres://user:password@host/database`, or with a socket `postgres://user:password@/database?host=/run/postgresql`. TLS: `?sslmode=` and `verify-full`, `no-verify`, `prefer` or `disable`.",
  },
  {
    name: "DATABASE_LISTEN_URL",
    default: "`DATABASE_URL`",
    meaning:
      "PostgreSQL's own address, if `DATABASE_URL` is that of a connection pooler such as PgBouncer in transaction mode. Used by one connection per process, which is notified of other processes' changes. Without it, pages are cached only for 1.5 seconds there.",
  },
  {
    name: "SMTP_URL",
    default: "none: emails are stored in `DATA_DIR/mail`",
    meaning:
      "`smtp://user:password@host:587` or `smtps://…`. Needed for sign-up unless `BASE_URL` is localhost. TLS options: [docs/operators.md](docs/operators.md).",
  },
  { name: "MAIL_FROM", default: "`Meishi <no-reply@…>` at the host of `BASE_URL`", meaning: "Sender of all emails." },
  {
    name: "CONTACT_TO",
    default: "`operator.email` in `DATA_DIR/content/site.json`",
    meaning:
      "Email address that receives the messages from `/contact`. Without one, there is no form. On localhost without `SMTP_URL`, messages are stored with the other emails.",
  },
  {
    name: "ADMIN_EMAILS",
    default: "none",
    meaning:
      "Emails of the accounts that may open `/admin`, separated by commas. They must be confirmed and use two-step verification.",
  },
  {
    name: "PLAN_FOR_EVERYONE",
    default: "`free`",
    meaning:
      "`premium` gives every account Premium and removes prices and the pricing page, as for a team of your own.",
  },
  {
    name: "TRUSTED_PROXY",
    default: "none",
    meaning:
      "IP addresses of your reverse proxies, separated by commas: `10.0.0.2, ::1`. Only their `X-Forwarded-For` is trusted. If you list a network (`10.0.9.0/24`), no visitor may be in it.",
  },
  {
    name: "COUNTRY_HEADER",
    default: "none: visits are counted without a country",
    meaning:
      "Request header in which your proxy names the visitor's country by its two letters, such as `CF-IPCountry`. Only a `TRUSTED_PROXY` is believed, which must set or remove it on each request.",
  },
  {
    name: "S3_ENDPOINT",
    default: "none: files are stored in `DATA_DIR/files`",
    meaning:
      "`https://s3.eu-central-1.amazonaws.com` or any other S3-compatible server. Needs the bucket and both keys.",
  },
  { name: "S3_BUCKET", default: "none", meaning: "Bucket for this installation only. It can be private." },
  { name: "S3_REGION", default: "`us-east-1`", meaning: "Region of the bucket." },
  {
    name: "S3_ACCESS_KEY_ID",
    default: "none",
    meaning: "Access key with permission to list, read, write and delete objects.",
  },
  { name: "S3_SECRET_ACCESS_KEY", default: "none", meaning: "Secret access key." },
  {
    name: "DEMO",
    default: "`on` if `BASE_URL` is localhost, otherwise `off`",
    meaning:
      "`on` adds a sample profile `/u/demo-user`, its card `/card/demo-card`, and sample quotes and facts on the landing page.",
  },
  {
    name: "SOURCE_URL",
    default: "none",
    meaning: "Web page of the source code you run, such as your fork. The security section and the footer link to it.",
  },
  {
    name: "HSTS_SUBDOMAINS",
    default: "`off`",
    meaning:
      "`on` tells browsers to use HTTPS for every subdomain of `BASE_URL` too, for a year. All of them must support HTTPS.",
  },
  {
    name: "WEB3_SIGN_IN",
    default: "`off`",
    meaning: "`on` lets users connect an Ethereum wallet and sign in with it. See [docs/sign-in.md](docs/sign-in.md).",
  },
] as const satisfies readonly SettingRow[];

type SettingRow = { name: string; default: string; meaning: string };

/** All settings, as docs/settings.md lists them (a test compares the two). */
export const settings: readonly SettingRow[] = [
  ...ownSettings,
  ...stripeSettings,
  ...applePassSettings,
  ...googleWalletSettings,
  ...providerSettings,
];

/** The process's environment. No other code reads it. */
export const environment = (): Environment => process.env;

/** Reads the environment and reports all mistakes in it at once. */
export function readConfig(env: Environment, cwd: string): { config: Config } | { problems: string[] } {
  const problems: string[] = [];
  /** An empty variable counts as unset, because compose files set empty ones. */
  function read<T>(
    name: (typeof ownSettings)[number]["name"],
    parse: (text: string) => T | SettingProblem,
    otherwise: T,
  ): T {
    const text = env[name]?.trim();
    if (!text) return otherwise;
    const value = parse(text);
    if (!isSettingProblem(value)) return value;
    problems.push(`${name} ${value.problem}`);
    return otherwise;
  }

  const port = read("PORT", parsePort, 3000);
  const baseUrl = read("BASE_URL", parseOrigin, `http://localhost:${port}`);
  if (port === 0 && !env.BASE_URL?.trim())
    problems.push("PORT is 0 (any free port), so BASE_URL must be set. Otherwise, links wouldn't work.");
  const { hostname } = new URL(baseUrl);
  const isLocal = localHosts.includes(hostname);
  const stripe = readStripeSettings((name) => env[name]?.trim() ?? "", problems);
  const applePasses = readApplePassSettings({ get: (name) => env[name]?.trim() ?? "", cwd });
  const config = {
    port,
    host: read("HOST", parseHost, isLocal ? "127.0.0.1" : "0.0.0.0"),
    baseUrl,
    dataDir: resolve(cwd, env.DATA_DIR?.trim() || "data"),
    databaseUrl: read<string | undefined>("DATABASE_URL", parseServerUrl(postgresProtocols), undefined),
    databaseListenUrl: read<string | undefined>("DATABASE_LISTEN_URL", parseServerUrl(postgresProtocols), undefined),
    smtpUrl: read<string | undefined>("SMTP_URL", parseServerUrl(["smtp:", "smtps:"]), undefined),
    mailFrom: read("MAIL_FROM", parseSender, `Meishi <no-reply@${isIP(hostname) ? "localhost" : hostname}>`),
    contactTo: read<string | undefined>("CONTACT_TO", parseMailAddress, undefined),
    adminEmails: read("ADMIN_EMAILS", parseMailAddresses, []),
    trustedProxy: read("TRUSTED_PROXY", parseNetworks, []),
    countryHeader: read<string | undefined>("COUNTRY_HEADER", parseHeaderName, undefined),
    premium: premiumAccess(read("PLAN_FOR_EVERYONE", parsePlanForEveryone, false), stripe, problems),
    demo: read("DEMO", parseSwitch, isLocal),
    sourceUrl: read<string | undefined>("SOURCE_URL", parseWebAddress, undefined),
    hstsIncludesSubdomains: read("HSTS_SUBDOMAINS", parseSwitch, false),
    s3: readS3Settings((name) => env[name]?.trim() ?? "", problems),
    providers: readProviderSettings({
      get: (name) => env[name]?.trim() ?? "",
      problems,
      cwd,
      hasApplePasses: applePasses !== undefined,
    }),
    stripe,
    applePasses,
    googleWallet: readGoogleWalletSettings({ get: (name) => env[name]?.trim() ?? "", cwd }),
    web3SignIn: read("WEB3_SIGN_IN", parseSwitch, false),
    isLocal,
  };
  return problems.length > 0 ? { problems } : { config };
}

function premiumAccess(isForEveryone: boolean, stripe: StripeSettings | undefined, problems: string[]): PremiumAccess {
  if (isForEveryone && stripe)
    problems.push(
      "PLAN_FOR_EVERYONE gives everyone Premium, so there is nothing to sell. Remove it, or the settings of Stripe.",
    );
  if (isForEveryone) return "everyone";
  return stripe ? "sold" : "granted";
}

const localHosts = ["localhost", "127.0.0.1", "[::1]"];
