import type { ProviderId } from "#app/services/auth/oauth/providers.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { applePassRow } from "./wallet-setup.server.ts";
import type { SetupRow } from "./setup-row.ts";

export type ProviderRow = { name: string; isOn: boolean; settings: readonly string[]; callback: string };

/** What is configured and what isn't. `address`: the network address that this request had. */
export function listSetup(
  { config, engine, mail, siteContent, googleWalletSetup, applePasses, clock }: SetupSource,
  address: string,
): SetupRow[] {
  const contactTo = config.contactTo ?? siteContent.operator.email;
  return [
    addressRow(config),
    {
      name: "Database",
      state: "on",
      purpose: "Accounts, profiles and cards. PostgreSQL lets several nodes share them.",
      status: engine === "postgres" ? "PostgreSQL." : "SQLite in DATA_DIR.",
      settings: ["DATABASE_URL", "DATABASE_LISTEN_URL"],
    },
    {
      name: "Email",
      state: config.smtpUrl !== undefined ? "on" : "warning",
      purpose: "Confirms addresses, resets passwords and alerts owners.",
      status: mailStatus(config, mail.isConfigured),
      settings: ["SMTP_URL", "MAIL_FROM"],
    },
    {
      name: "File storage",
      state: "on",
      purpose: "Photos, banners, logos and resumes.",
      status: config.s3
        ? `Bucket ${config.s3.bucket} at ${new URL(config.s3.endpoint).host}.`
        : "Folder files in DATA_DIR.",
      settings: ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
    },
    {
      name: "Reverse proxy",
      state: config.trustedProxy.length > 0 ? "on" : "off",
      purpose: "Rate limits need the real address of each visitor.",
      status: `This request came from ${address}. ${proxyHint(config)}`,
      settings: ["TRUSTED_PROXY"],
    },
    {
      name: "Contact form",
      state: contactTo ? "on" : "off",
      purpose: "Visitors can write to you at /contact.",
      status: contactTo ? `Messages go to ${contactTo}.` : "No address, so there is no form.",
      settings: ["CONTACT_TO"],
    },
    {
      name: "Samples",
      state: config.demo ? "on" : "off",
      purpose: "A sample profile and card, and sample quotes on the home page.",
      status: config.demo ? "Shown. Turn them off on a public site." : "Hidden.",
      settings: ["DEMO"],
    },
    {
      name: "Source code",
      state: config.sourceUrl ? "on" : "off",
      purpose: "The security page links to the code that you run.",
      status: config.sourceUrl ?? "No link.",
      settings: ["SOURCE_URL"],
    },
    {
      name: "Ethereum wallets",
      state: config.web3SignIn ? "on" : "off",
      purpose: "Users can sign in with a wallet that they have connected.",
      status: config.web3SignIn ? "Allowed in browsers with a wallet." : "Not offered.",
      settings: ["WEB3_SIGN_IN"],
    },
    applePassRow(applePasses, clock()),
    googleWalletRow(googleWalletSetup),
    {
      name: "Backups",
      state: "warning",
      purpose: "Bring everything back after a lost disk.",
      status: `Back up DATA_DIR${engine === "postgres" ? ", the database" : ""}${config.s3 ? " and the bucket" : ""}, as docs/operators.md describes. Meishi doesn't do it for you.`,
      settings: ["DATA_DIR"],
    },
  ];
}

type SetupSource = Pick<
  Services,
  "config" | "engine" | "mail" | "siteContent" | "googleWalletSetup" | "applePasses" | "clock"
>;

function addressRow({ baseUrl, isLocal }: Config): SetupRow {
  const isSecure = baseUrl.startsWith("https:");
  return {
    name: "Address",
    state: isSecure ? "on" : "warning",
    purpose: "Used in every link, QR code and email. HTTPS protects passwords and cookies.",
    status: isSecure
      ? `${baseUrl}.`
      : `${baseUrl}, ${isLocal ? "this machine only." : "without HTTPS: passwords can be read in transit."}`,
    settings: ["BASE_URL"],
  };
}

function googleWalletRow(setup: SetupSource["googleWalletSetup"]): SetupRow {
  return {
    name: "Google Wallet",
    state: ({ off: "off", invalid: "warning", ready: "on" } as const)[setup.state],
    purpose: "Visitors can add a card to Google Wallet, where it stays current.",
    status: googleWalletStatus(setup),
    settings: ["GOOGLE_WALLET_ISSUER_ID", "GOOGLE_WALLET_SERVICE_ACCOUNT"],
  };
}

function googleWalletStatus(setup: SetupSource["googleWalletSetup"]): string {
  if (setup.state === "off") return "Not offered.";
  if (setup.state === "invalid") return setup.problems.join(" ");
  return `Issuer ${setup.account.issuerId}, as ${setup.account.clientEmail}.`;
}

function mailStatus({ smtpUrl, mailFrom }: Config, isConfigured: boolean): string {
  if (smtpUrl !== undefined) return `Sent through ${new URL(smtpUrl).host} as ${mailFrom}.`;
  return isConfigured ? "Stored in DATA_DIR/mail, for this machine only." : "No server, so no one can sign up.";
}

function proxyHint({ trustedProxy }: Config): string {
  return trustedProxy.length > 0
    ? `Trusted: ${trustedProxy.join(", ")}.`
    : "If that's your proxy's address instead of yours, set TRUSTED_PROXY.";
}

const providers: readonly { id: ProviderId; name: string; settings: readonly string[] }[] = [
  client("google", "Google", "GOOGLE"),
  {
    id: "apple",
    name: "Apple",
    settings: ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"],
  },
  { id: "sso", name: "Single sign-on", settings: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] },
  client("github", "GitHub", "GITHUB"),
  client("linkedin_oidc", "LinkedIn", "LINKEDIN"),
  client("twitch", "Twitch", "TWITCH"),
  client("spotify", "Spotify", "SPOTIFY"),
  client("slack", "Slack", "SLACK"),
  client("facebook", "Facebook", "FACEBOOK"),
];

function client(id: ProviderId, name: string, prefix: string) {
  return { id, name, settings: [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`] };
}

/** The sign-in providers with the callback address that each has to be given. */
export function listProviders({ baseUrl, providers: configured }: Config): ProviderRow[] {
  return providers.map(({ id, name, settings }) => ({
    name,
    settings,
    isOn: configured[id] !== undefined,
    callback: `${baseUrl}/api/auth/callback/${id}`,
  }));
}
