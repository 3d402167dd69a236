import { createPrivateKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

import { isSettingProblem, parseSwitch } from "./setting-values.ts";
import type { SettingProblem } from "./setting-values.ts";

/** A client that is registered with a provider. */
export type OAuthClient = { clientId: string; clientSecret: string };

export type AppleSettings = {
  clientId: string;
  teamId: string;
  keyId: string;
  /** PKCS #8, as PEM. */
  privateKey: string;
};

export type OidcSettings = OAuthClient & {
  /** As in the discovery document. */
  issuer: string;
  /** The label of its button: "Continue with {name}". */
  name: string;
  /** It is the only way in. */
  isOnly: boolean;
  /** Its email addresses count as verified, whatever it says about them. */
  trustsEmail: boolean;
  /** The provider asks for a second factor itself: two-step verification is left out. */
  skipsTwoStep: boolean;
};

const clientProviders = [
  { id: "google", prefix: "GOOGLE", name: "Google" },
  { id: "github", prefix: "GITHUB", name: "GitHub" },
  { id: "linkedin_oidc", prefix: "LINKEDIN", name: "LinkedIn" },
  { id: "twitch", prefix: "TWITCH", name: "Twitch" },
  { id: "spotify", prefix: "SPOTIFY", name: "Spotify" },
  { id: "slack", prefix: "SLACK", name: "Slack" },
  { id: "facebook", prefix: "FACEBOOK", name: "Facebook" },
] as const;

type ClientProvider = (typeof clientProviders)[number]["id"];

/** The configured providers by their id, which is part of the callback address. */
export type ProviderSettings = Partial<Record<ClientProvider, OAuthClient>> & {
  apple?: AppleSettings;
  sso?: OidcSettings;
};

type Prefix = (typeof clientProviders)[number]["prefix"];
type ProviderSettingName =
  | `${Prefix}_CLIENT_${"ID" | "SECRET"}`
  | `APPLE_${"CLIENT_ID" | "TEAM_ID" | "KEY_ID" | "PRIVATE_KEY"}`
  | `OIDC_${"ISSUER" | "CLIENT_ID" | "CLIENT_SECRET" | "NAME" | "ONLY" | "TRUST_EMAIL" | "SKIP_TWO_STEP"}`;

type SettingRow = { name: ProviderSettingName; default: string; meaning: string };

/** Rows of docs/settings.md. */
export const providerSettings: readonly SettingRow[] = [
  ...clientProviders.flatMap(({ id, prefix, name }): SettingRow[] => [
    {
      name: `${prefix}_CLIENT_ID`,
      default: "none",
      meaning:
        id === "google"
          ? "Client ID for “Continue with Google”. See [docs/sign-in.md](docs/sign-in.md)."
          : `Client ID for connecting ${name} accounts. See [docs/sign-in.md](docs/sign-in.md).`,
    },
    { name: `${prefix}_CLIENT_SECRET`, default: "none", meaning: "Its client secret." },
  ]),
  {
    name: "APPLE_CLIENT_ID",
    default: "none",
    meaning: "Services ID for “Continue with Apple”. See [docs/sign-in.md](docs/sign-in.md).",
  },
  {
    name: "APPLE_TEAM_ID",
    default: "none",
    meaning: "Team ID of your Apple developer account, for “Continue with Apple” and for wallet passes.",
  },
  { name: "APPLE_KEY_ID", default: "none", meaning: "ID of the private key." },
  {
    name: "APPLE_PRIVATE_KEY",
    default: "none",
    meaning: "Private key for Sign in with Apple: the text of the `.p8` file, or its path.",
  },
  {
    name: "OIDC_ISSUER",
    default: "none",
    meaning: "URL of your OpenID Connect provider for single sign-on. See [docs/sign-in.md](docs/sign-in.md).",
  },
  { name: "OIDC_CLIENT_ID", default: "none", meaning: "Client ID at that provider." },
  { name: "OIDC_CLIENT_SECRET", default: "none", meaning: "Its client secret." },
  { name: "OIDC_NAME", default: "`SSO`", meaning: "Name on the button: “Continue with …”." },
  {
    name: "OIDC_ONLY",
    default: "`off`",
    meaning: "`on` makes single sign-on the only way in: no passwords, no sign-up form, no other providers.",
  },
  {
    name: "OIDC_TRUST_EMAIL",
    default: "`off`",
    meaning:
      "`on` accepts email addresses that the provider doesn't say are verified, as Entra ID and Authentik don't. See [docs/sign-in.md](docs/sign-in.md).",
  },
  {
    name: "OIDC_SKIP_TWO_STEP",
    default: "`off`",
    meaning:
      "`on` leaves out two-step verification after single sign-on, for a provider that asks for a second factor itself.",
  },
];

type Read = {
  /** Returns "" for an unset variable. */
  get: (name: ProviderSettingName) => string;
  problems: string[];
  /** The folder that paths start from. */
  cwd: string;
  /** Wallet passes need a team, too: APPLE_TEAM_ID alone isn't half a provider. */
  hasApplePasses: boolean;
};

/** Reads the settings of all providers. Adds what is missing or wrong to `problems`, without repeating a secret. */
export function readProviderSettings(read: Read): ProviderSettings {
  const found: ProviderSettings = {};
  for (const { id, prefix } of clientProviders) {
    const client = readAll(read, [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]);
    if (client) found[id] = { clientId: client[0] ?? "", clientSecret: client[1] ?? "" };
  }
  const apple = readApple(read);
  const sso = readOidc(read);
  return { ...found, ...(apple && { apple }), ...(sso && { sso }) };
}

function readApple(read: Read): AppleSettings | undefined {
  const names = ["APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"] as const;
  const isForPasses = read.hasApplePasses && names.every((name) => name === "APPLE_TEAM_ID" || !read.get(name));
  if (isForPasses) return undefined;
  const all = readAll(read, names);
  if (!all) return undefined;
  const [clientId = "", teamId = "", keyId = "", key = ""] = all;
  const privateKey = readPrivateKey(key, read.cwd);
  if (!isSettingProblem(privateKey)) return { clientId, teamId, keyId, privateKey };
  read.problems.push(`APPLE_PRIVATE_KEY ${privateKey.problem}`);
  return undefined;
}

function readOidc(read: Read): OidcSettings | undefined {
  const { get, problems } = read;
  const all = readAll(read, ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  const isOnly = readSwitch(read, "OIDC_ONLY");
  const trustsEmail = readSwitch(read, "OIDC_TRUST_EMAIL");
  const skipsTwoStep = readSwitch(read, "OIDC_SKIP_TWO_STEP");
  const isUsed = isOnly || trustsEmail || skipsTwoStep || get("OIDC_NAME") !== "";
  if (!all && isUsed && !get("OIDC_ISSUER"))
    problems.push(
      "OIDC_ISSUER must also be set: OIDC_NAME, OIDC_ONLY, OIDC_TRUST_EMAIL and OIDC_SKIP_TWO_STEP belong to it.",
    );
  if (!all) return undefined;
  const [typed = "", clientId = "", clientSecret = ""] = all;
  const issuer = parseIssuer(typed);
  const name = /^[^\p{Cc}]{1,40}$/u.test(get("OIDC_NAME") || "SSO") ? get("OIDC_NAME") || "SSO" : undefined;
  if (isSettingProblem(issuer)) problems.push(`OIDC_ISSUER ${issuer.problem}`);
  if (name === undefined) problems.push("OIDC_NAME must be a name of at most 40 characters.");
  if (isSettingProblem(issuer) || name === undefined) return undefined;
  return { issuer, clientId, clientSecret, name, isOnly, trustsEmail, skipsTwoStep };
}

/** A setting that is "on" or "off", which is the default. */
function readSwitch({ get, problems }: Read, name: ProviderSettingName): boolean {
  const value = get(name) ? parseSwitch(get(name)) : false;
  if (!isSettingProblem(value)) return value;
  problems.push(`${name} ${value.problem}`);
  return false;
}

/** The values of settings that belong together; undefined if none is set, and after a problem. */
function readAll({ get, problems }: Read, names: readonly ProviderSettingName[]): string[] | undefined {
  const missing = names.filter((name) => !get(name));
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const present = names.filter((name) => get(name));
    problems.push(`${missing.join(" and ")} must also be set, because ${present.join(" and ")} is set.`);
    return undefined;
  }
  const unreadable = names.filter((name) => name !== "APPLE_PRIVATE_KEY" && !/^[\x21-\x7e]+$/.test(get(name)));
  for (const name of unreadable) problems.push(`${name} contains a character that isn't allowed, such as a space.`);
  return unreadable.length > 0 ? undefined : names.map((name) => get(name));
}

/** A key's text, or the path of its file. The problem never repeats the value. */
function readPrivateKey(typed: string, cwd: string): string | SettingProblem {
  const notFound = { problem: "must be the text of the .p8 file or the path of a file that can be read." };
  let text = typed.replaceAll(String.raw`\n`, "\n");
  try {
    if (!text.includes("-----BEGIN")) {
      const path = resolve(cwd, typed);
      const { size } = statSync(path);
      if (size === 0 || size > maxKeyBytes) return notFound;
      text = readFileSync(path, "utf8");
    }
  } catch {
    return notFound;
  }
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key.export({ type: "pkcs8", format: "pem" });
  } catch {
    // Its message could repeat the key.
  }
  return { problem: "is not a private key of Sign in with Apple (P-256, in a .p8 file)." };
}

const maxKeyBytes = 10_000;

/** HTTP is for a provider on this machine. */
function parseIssuer(text: string): string | SettingProblem {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (!url || !(url.protocol === "https:" || isLocal) || url.username || url.password || url.search || url.hash)
    return { problem: "must be a URL that starts with https://, without a username, ? or #." };
  return text;
}
