import { resolve } from "node:path";

import {
  choice,
  matching,
  parseEndpoint,
  parseFile,
  parseHost,
  parseIssuer,
  parseOrigin,
  parseOrigins,
  parseSecret,
  parseSender,
  parseServerUrl,
  parseSignInKey,
  parseTestUrl,
  parseWebAddress,
  parseMailAddress,
  quoting,
  settingIn,
  wholeNumber,
} from "./setting-values.ts";
import { backupSettings } from "./backup-settings.ts";
import { operationSettings } from "./operation-settings.ts";
import type { Setting, Values } from "./setting-values.ts";

export type S3Settings = Values<typeof s3>;
export type StripeSettings = Values<typeof stripe>;
export type StripeAccess = Pick<StripeSettings, "secretKey" | "apiUrl">;
/** The configured providers. */
export type ProviderSettings = { [Id in keyof typeof providers]?: Values<(typeof providers)[Id]> };

/** The operator's clients at services that owners let us act for. */
export type ContactClient = "google" | "microsoft";
export type OAuthClient = Values<typeof microsoft>;

const [setting, ofDatabase, ofEmail] = [settingIn(), settingIn("Database"), settingIn("Email")];
const postgresUrl = parseServerUrl(["postgres:", "postgresql:"]);
const parseSwitch = choice("on", "off");

/** Settings that don't need others. */
export const single = {
  port: setting("PORT", wholeNumber(0, 65_535), {
    default: "3000",
    doc: "Port to listen on. `0` takes any free port and needs `BASE_URL`.",
  }),
  host: setting("HOST", parseHost, {
    without: "`127.0.0.1` if `BASE_URL` is localhost, otherwise `0.0.0.0`",
    doc: "Address to listen on.",
  }),
  baseUrl: settingIn("Address")("BASE_URL", parseOrigin, {
    without: "`http://localhost:PORT`",
    doc: "Public URL, used in every link, QR code and email. No path.",
  }),
  dataDir: settingIn("Backups")("DATA_DIR", (text, cwd) => resolve(cwd, text), {
    default: "./data",
    doc: "Folder for the database, uploaded files, secrets, your content (`content`) and stored emails. Only one process can use it at a time.",
  }),
  ...backupSettings,
  databaseUrl: ofDatabase("DATABASE_URL", postgresUrl, {
    without: "none: SQLite in `DATA_DIR`",
    doc: "`postgres://user:password@host/database`, or with a socket `postgres://user:password@/database?host=/run/postgresql`. TLS: `?sslmode=` and `verify-full`, `no-verify`, `prefer` or `disable`.",
  }),
  databaseListenUrl: ofDatabase("DATABASE_LISTEN_URL", postgresUrl, {
    without: "`DATABASE_URL`",
    doc: "PostgreSQL's own address, if `DATABASE_URL` is that of a connection pooler such as PgBouncer in transaction mode. Used by one connection per process, which is notified of other processes' changes. Without it, pages are cached only for 1.5 seconds there.",
  }),
  pageCacheMb: setting("PAGE_CACHE_MB", wholeNumber(1, 1_000_000, "a whole number of megabytes"), {
    default: "1000",
    doc: "Megabytes of finished public pages that are stored in the database, so that a restart or another process needn’t render them again. The oldest are deleted.",
  }),
  smtpUrl: ofEmail("SMTP_URL", parseServerUrl(["smtp:", "smtps:"]), {
    without: "none: emails are stored in `DATA_DIR/mail`",
    doc: "`smtp://user:password@host:587` or `smtps://…`. Needed for sign-up unless `BASE_URL` is localhost. TLS options: [docs/operators.md](operators.md).",
  }),
  mailFrom: ofEmail("MAIL_FROM", parseSender, {
    without: "`Meishi <no-reply@…>` at the host of `BASE_URL`",
    doc: "Sender of all emails.",
  }),
  contactTo: settingIn("Contact form")("CONTACT_TO", parseMailAddress, {
    without: "`operator.email` in `DATA_DIR/content/site.json`",
    doc: "Email address that receives the messages from `/contact`. Without one, there is no form. On localhost without `SMTP_URL`, messages are stored with the other emails.",
  }),
  ...operationSettings,
  demo: settingIn("Samples")("DEMO", parseSwitch, {
    without: "`on` if `BASE_URL` is localhost, otherwise `off`",
    doc: "`on` adds a sample profile `/u/demo-user`, its card `/card/demo-card`, and sample quotes and facts on the landing page.",
  }),
  sourceUrl: settingIn("Source code")("SOURCE_URL", parseWebAddress, {
    without: "none",
    doc: "Web page of the source code you run, such as your fork. The security section and the footer link to it.",
  }),
  hstsIncludesSubdomains: setting("HSTS_SUBDOMAINS", parseSwitch, {
    default: "off",
    doc: "`on` tells browsers to use HTTPS for every subdomain of `BASE_URL` too, for a year. All of them must support HTTPS.",
  }),
  web3SignIn: settingIn("Ethereum wallets")("WEB3_SIGN_IN", parseSwitch, {
    default: "off",
    doc: "`on` lets users connect an Ethereum wallet and sign in with it. See [docs/sign-in.md](sign-in.md).",
  }),
  dataApi: settingIn("Apps")("DATA_API", parseSwitch, {
    default: "on",
    doc: "`off` turns off the API for apps: `/auth/v1`, `/rest/v1`, `/storage/v1` and `/realtime/v1`. See [docs/api-client.md](api-client.md).",
  }),
  appOrigins: settingIn("Apps")("API_APP_ORIGINS", parseOrigins, {
    default: "",
    doc: "Origins of apps that links in emails and sign-in providers may lead back to, separated by commas: `https://app.example.com, myapp://callback`.",
  }),
};

const ofStorage = settingIn("File storage");
const bucketPattern = /^[a-z\d][a-z\d._-]{1,61}[a-z\d]$/i;

/** Where files are stored, if not in `dataDir`. The bucket is the first part of the path at `endpoint`. */
export const s3 = {
  endpoint: ofStorage("S3_ENDPOINT", parseEndpoint, {
    off: "none: files are stored in `DATA_DIR/files`",
    doc: "`https://s3.eu-central-1.amazonaws.com` or any other S3-compatible server. Needs the bucket and both keys.",
  }),
  bucket: ofStorage("S3_BUCKET", quoting(bucketPattern, "it must be the name of a bucket, not its URL."), {
    doc: "Bucket for this installation only. It can be private.",
  }),
  region: ofStorage("S3_REGION", matching(/^[a-z\d-]{1,40}$/i, "must be a name such as eu-central-1 or auto."), {
    default: "us-east-1",
    doc: "Region of the bucket.",
  }),
  accessKeyId: ofStorage("S3_ACCESS_KEY_ID", parseSecret, {
    doc: "Access key with permission to list, read, write and delete objects.",
  }),
  secretAccessKey: ofStorage("S3_SECRET_ACCESS_KEY", parseSecret, { doc: "Secret access key." }),
};

const keyProblem = "must be a secret key, which starts with sk_ or rk_.";
const parsePriceId = matching(/^price_\w+$/, "must be the ID of a price, which starts with price_.");
const portalProblem = "must be the ID of a portal configuration, which starts with bpc_.";

/** The IDs of the prices of paid plans, which `plans` in the feature `billing` names. */
export const priceSettings = {
  monthly: setting("STRIPE_PRICE_MONTHLY", parsePriceId, { doc: "ID of the monthly price of Premium (`price_…`)." }),
  yearly: setting("STRIPE_PRICE_YEARLY", parsePriceId, { doc: "ID of the yearly price of Premium." }),
};
export type PriceSetting = keyof typeof priceSettings;

/** How plans are sold. */
export const stripe = {
  secretKey: setting("STRIPE_SECRET_KEY", matching(/^[sr]k_\w+$/, keyProblem), {
    off: "none: Premium isn't sold",
    doc: "Secret key of your Stripe account (`sk_…` or `rk_…`). See [docs/billing.md](billing.md).",
  }),
  webhookSecret: setting("STRIPE_WEBHOOK_SECRET", matching(/^whsec_[\w+/=]+$/, "must start with whsec_."), {
    doc: "Signing secret (`whsec_…`) of the webhook endpoint `BASE_URL/webhooks/stripe`.",
  }),
  ...priceSettings,
  portalConfiguration: setting("STRIPE_PORTAL_CONFIGURATION", matching(/^bpc_\w+$/, portalProblem), {
    without: "none: the portal settings of the Stripe account",
    doc: "ID of the customer portal's configuration (`bpc_…`), as `npm run billing -- setup` prints it.",
  }),
  hasTax: setting("STRIPE_TAX", parseSwitch, {
    default: "off",
    doc: "`on` lets Stripe Tax calculate taxes at the checkout, and companies enter their tax ID.",
  }),
  /** Another host would get the secret key. */
  apiUrl: setting("STRIPE_API_URL", parseTestUrl("http:"), { without: "" }),
};

function client(
  group: string,
  prefix: string,
  use = `connecting ${group} accounts. See [docs/sign-in.md](sign-in.md).`,
) {
  const of = settingIn(group);
  return {
    clientId: of(`${prefix}_CLIENT_ID`, parseSecret, { doc: `Client ID for ${use}` }),
    clientSecret: of(`${prefix}_CLIENT_SECRET`, parseSecret, { doc: "Its client secret." }),
  };
}

const [ofApple, ofSso] = [settingIn("Apple"), settingIn("Single sign-on")];
const nameProblem = "must be a name of at most 40 characters.";

/** The sign-in providers by their ID, which is part of the callback address. */
export const providers = {
  google: client("Google", "GOOGLE", "“Continue with Google”. See [docs/sign-in.md](sign-in.md)."),
  apple: {
    clientId: ofApple("APPLE_CLIENT_ID", parseSecret, {
      doc: "Services ID for “Continue with Apple”. See [docs/sign-in.md](sign-in.md).",
    }),
    teamId: ofApple("APPLE_TEAM_ID", parseSecret, {
      doc: "Team ID of your Apple developer account, for “Continue with Apple” and for wallet passes.",
    }),
    keyId: ofApple("APPLE_KEY_ID", parseSecret, { doc: "ID of the private key." }),
    privateKey: ofApple("APPLE_PRIVATE_KEY", parseSignInKey, {
      doc: "Private key for Sign in with Apple: the text of the `.p8` file, or its path.",
    }),
  },
  sso: {
    issuer: ofSso("OIDC_ISSUER", parseIssuer, {
      doc: "URL of your OpenID Connect provider for single sign-on. See [docs/sign-in.md](sign-in.md).",
    }),
    clientId: ofSso("OIDC_CLIENT_ID", parseSecret, { doc: "Client ID at that provider." }),
    clientSecret: ofSso("OIDC_CLIENT_SECRET", parseSecret, { doc: "Its client secret." }),
    name: ofSso("OIDC_NAME", matching(/^[^\p{Cc}]{1,40}$/u, nameProblem), {
      default: "SSO",
      doc: "Name on the button: “Continue with …”.",
    }),
    isOnly: ofSso("OIDC_ONLY", parseSwitch, {
      default: "off",
      doc: "`on` makes single sign-on the only sign-in method: no passwords, no sign-up form, no other providers.",
    }),
    createsAccounts: ofSso("OIDC_SIGN_UP", parseSwitch, {
      default: "off",
      doc: "`on` creates accounts for everyone whom your provider knows, also while `SIGN_UP` is `invite` or `closed`.",
    }),
    trustsEmail: ofSso("OIDC_TRUST_EMAIL", parseSwitch, {
      default: "off",
      doc: "`on` accepts email addresses that the provider doesn't say are verified, as Entra ID and Authentik don't. See [docs/sign-in.md](sign-in.md).",
    }),
    skipsTwoStep: ofSso("OIDC_SKIP_TWO_STEP", parseSwitch, {
      default: "off",
      doc: "`on` leaves out two-step verification after single sign-on, for a provider that asks for a second factor itself.",
    }),
  },
  github: client("GitHub", "GITHUB"),
  linkedin_oidc: client("LinkedIn", "LINKEDIN"),
  twitch: client("Twitch", "TWITCH"),
  spotify: client("Spotify", "SPOTIFY"),
  slack: client("Slack", "SLACK"),
  facebook: client("Facebook", "FACEBOOK"),
};

/** The client with which owners let us change their contacts at Microsoft. */
export const microsoft = client(
  "Microsoft 365",
  "MICROSOFT",
  "copying leads to Microsoft 365. See [docs/integrations.md](integrations.md#google-and-microsoft).",
);

const ofPasses = settingIn("Apple Wallet");
const parsePemFile = parseFile("the text of a PEM file or the path of a file");
const passTypeProblem = "must be a pass type ID, as in pass.com.example.card.";
const teamProblem = "must be a team ID of ten capital letters and digits.";

/** What Apple Wallet passes are signed with. */
export const applePasses = {
  passTypeId: ofPasses("APPLE_PASS_TYPE_ID", matching(/^pass\.[\w.-]+$/, passTypeProblem), {
    off: "none: no Apple Wallet passes",
    doc: "Pass type ID for Apple Wallet (`pass.…`). Also needs `APPLE_TEAM_ID`. See [docs/wallet.md](wallet.md).",
  }),
  teamId: ofPasses("APPLE_TEAM_ID", matching(/^[A-Z0-9]{10}$/, teamProblem), {}),
  certificate: ofPasses("APPLE_PASS_CERTIFICATE", parsePemFile, {
    doc: "Certificate of that pass type: the path of a `.p12`, `.pem` or `.cer` file, or the text of a PEM file.",
  }),
  key: ofPasses("APPLE_PASS_KEY", parsePemFile, {
    without: "none: the key in the `.p12` file",
    doc: "Private key of the certificate: the path of a PEM file, or its text.",
  }),
  password: ofPasses("APPLE_PASS_PASSWORD", (text) => text, {
    default: "",
    doc: "Password of the `.p12` file or of the key.",
  }),
  wwdr: ofPasses("APPLE_WWDR_CERTIFICATE", parsePemFile, {
    doc: "Apple's intermediate certificate (WWDR) that issued yours: the path of a `.cer` or `.pem` file, or its text.",
  }),
  /** Another host would get the devices' push tokens. */
  pushUrl: setting("APPLE_PUSH_URL", parseTestUrl("https:"), { without: "" }),
};

const ofGoogleWallet = settingIn("Google Wallet");
const issuerProblem = "must be the number that the Google Pay & Wallet Console shows.";

/** Who issues Google Wallet passes. */
export const googleWallet = {
  issuerId: ofGoogleWallet("GOOGLE_WALLET_ISSUER_ID", matching(/^\d{5,30}$/, issuerProblem), {
    off: "none: no Google Wallet passes",
    doc: "Issuer ID for Google Wallet, a long number. See [docs/wallet.md](wallet.md).",
  }),
  serviceAccount: ofGoogleWallet("GOOGLE_WALLET_SERVICE_ACCOUNT", parseFile("the path of a JSON file"), {
    doc: "Path of the JSON key of the Google Cloud service account that may issue passes.",
  }),
  /** Another host would get the signed requests and the content of passes. */
  apiUrl: setting("GOOGLE_WALLET_API_URL", parseTestUrl("http:"), { without: "" }),
};

/** All settings, in the order of docs/settings.md. */
export const settings: readonly Setting[] = [
  single,
  s3,
  stripe,
  ...Object.values(providers),
  microsoft,
  applePasses,
  googleWallet,
].flatMap((group): Setting[] => Object.values(group));
