import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { ProviderSettings } from "#app/services/config/provider-settings.server.ts";

import { createConnections } from "./connections.server.ts";
import type { Connections } from "./connections.server.ts";
import { createOAuthCallbacks } from "./oauth-callbacks.server.ts";
import type { OAuthCallbacks, OAuthCallbacksDeps } from "./oauth-callbacks.server.ts";
import { createOAuthStates } from "./oauth-states.server.ts";
import { createProviders } from "./providers.server.ts";

export type OAuth = OAuthCallbacks & Connections;

type OAuthDeps = Omit<OAuthCallbacksDeps, "baseUrl" | "providers" | "states"> & {
  auth: BetterAuth;
  config: { baseUrl: string; providers?: ProviderSettings };
  isSecure: boolean;
};

export function createOAuth({ auth, isSecure, config, ...deps }: OAuthDeps): OAuth {
  const { baseUrl } = config;
  const providers = createProviders({ auth, settings: config.providers ?? {} });
  const states = createOAuthStates({ ...deps, isSecure });
  return {
    ...createOAuthCallbacks({ ...deps, baseUrl, providers, states }),
    ...createConnections({ ...deps, baseUrl, providers }),
  };
}
