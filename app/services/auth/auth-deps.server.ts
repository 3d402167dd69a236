import type { Logger } from "pino";

import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import type { Secrets } from "#app/services/base/signed-token.server.ts";
import type { EncryptedColumns, SecretBox } from "#app/services/base/secret-box.server.ts";
import type { ProviderSettings } from "#app/services/config/settings.ts";
import type { SignUpPolicy } from "#app/services/config/setting-values.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import { createAccessTokens } from "./apps/access-tokens.server.ts";
import type { AccessTokens } from "./apps/access-tokens.server.ts";
import { createBetterAuth } from "./better-auth.server.ts";
import type { BetterAuth, EnqueueMail } from "./better-auth.server.ts";
import { createProviders } from "./oauth/providers.server.ts";
import type { Providers } from "./oauth/providers.server.ts";
import { createPasswordHashes } from "./passwords/password-hashes.server.ts";
import type { Argon2Cost, PasswordHashes } from "./passwords/password-hashes.server.ts";

type GivenDeps = Secrets & {
  db: Db;
  engine: Engine;
  log: Logger;
  enqueueMail: EnqueueMail;
  /** Stores a job that fetches the image of a new user. */
  enqueueImage: (image: { ownerId: string; name: string; url: string }, trx: Trx) => Promise<void>;
  /** Called after the commit of what concerns an account's security, such as the end of a session. */
  onSecurityEvent?: (ownerId: string, event: string) => void;
  /** Runs in the transaction that starts a session. */
  onSignIn?: (trx: Trx, userId: string) => Promise<void>;
};

/** The keys of authenticator apps. */
export const totpEncryption: EncryptedColumns = {
  purpose: "totp",
  table: "second_factor",
  key: ["owner_id"],
  columns: ["totp_secret", "pending_secret"],
};

/** What the functions of this folder use. */
export type AuthDeps = GivenDeps & {
  baseUrl: string;
  /** Whether the site has HTTPS. */
  isSecure: boolean;
  auth: BetterAuth;
  passwords: PasswordHashes;
  /** Encrypts the keys of authenticator apps. */
  secretBox: SecretBox;
  providers: Providers;
  accessTokens: AccessTokens;
  /** Whether the operator turned wallets on, and single sign-on isn't the only sign-in method. */
  hasWallets: boolean;
  /** Who may create an account. */
  signUpPolicy: SignUpPolicy;
  /** Whoever the provider of single sign-on knows may create one anyway. */
  ssoCreatesAccounts: boolean;
  /** The provider of single sign-on asks for a second factor itself. */
  skipsTwoStepAfterSso: boolean;
};

export type AuthOptions = GivenDeps & {
  /** `web3SignIn`: whether users can sign in with a wallet. `signUp`: who may create an account, by default everyone. */
  config: { baseUrl: string; providers?: ProviderSettings; web3SignIn?: boolean; signUp?: SignUpPolicy };
  /** Of new password hashes; by default the one that OWASP recommends. */
  passwordCost?: Argon2Cost;
  /** How long the access token of an app is valid; by default 15 minutes. */
  accessTokenSeconds?: number | undefined;
};

export function createAuthDeps({ config, passwordCost: cost, accessTokenSeconds, ...given }: AuthOptions): AuthDeps {
  const { baseUrl, providers: settings = {} } = config;
  const passwords = createPasswordHashes(cost && { cost });
  const auth = createBetterAuth({ ...given, baseUrl, passwords });
  return {
    ...given,
    baseUrl,
    isSecure: baseUrl.startsWith("https:"),
    auth,
    passwords,
    secretBox: createSecretBox(given, totpEncryption.purpose),
    providers: createProviders({ auth, settings }),
    accessTokens: createAccessTokens({ secret: given.secret, baseUrl }, accessTokenSeconds),
    hasWallets: config.web3SignIn === true && !settings.sso?.isOnly,
    signUpPolicy: config.signUp ?? "open",
    ssoCreatesAccounts: settings.sso?.createsAccounts ?? false,
    skipsTwoStepAfterSso: settings.sso?.skipsTwoStep ?? false,
  };
}
