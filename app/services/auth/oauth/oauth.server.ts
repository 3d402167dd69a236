import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import { createWallets } from "#app/services/auth/wallets/wallets.server.ts";
import type { Wallets } from "#app/services/auth/wallets/wallets.server.ts";
import type { ProviderSettings } from "#app/services/config/settings.ts";

import { createConnections } from "./connections.server.ts";
import type { Connections } from "./connections.server.ts";
import { createOAuthCallbacks } from "./oauth-callbacks.server.ts";
import type { OAuthCallbacks, OAuthCallbacksDeps } from "./oauth-callbacks.server.ts";
import { createOAuthStates } from "./oauth-states.server.ts";
import { createProviders, walletProvider } from "./providers.server.ts";

export type OAuth = OAuthCallbacks & Connections & Wallets;

type OAuthDeps = Omit<OAuthCallbacksDeps, "baseUrl" | "providers" | "states"> & {
  auth: BetterAuth;
  config: OAuthConfig;
  isSecure: boolean;
};

/** `web3SignIn`: whether users can sign in with a wallet. */
export type OAuthConfig = { baseUrl: string; providers?: ProviderSettings; web3SignIn?: boolean };

/** What is connected to an account from outside: accounts at providers, and a wallet. */
export function createOAuth({ auth, isSecure, config, ...deps }: OAuthDeps): OAuth {
  const { baseUrl } = config;
  const providers = createProviders({ auth, settings: config.providers ?? {} });
  const hasWallets = config.web3SignIn === true && !config.providers?.sso?.isOnly;
  const canSignIn = (id: string) => providers.find(id)?.canSignIn ?? (id === walletProvider.id && hasWallets);
  const states = createOAuthStates({ ...deps, isSecure });
  return {
    ...createOAuthCallbacks({ ...deps, baseUrl, providers, states }),
    ...createConnections({ ...deps, baseUrl, providers, canSignIn }),
    ...createWallets({ ...deps, baseUrl, canSignIn, isOn: hasWallets }),
  };
}
