import type { OAuthProvider } from "better-auth/oauth2";
import { apple, facebook, github, google, linkedin, slack, spotify, twitch } from "better-auth/social-providers";
import { z } from "zod";

import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { ProviderSettings } from "#app/services/config/settings.ts";

import { createAppleSecret } from "./apple-secret.server.ts";

/** A provider, without its network part. */
export type ProviderInfo = {
  /** As in the callback address. */
  id: ProviderId;
  name: string;
  /** Whether users can sign in with it. The others are only connected to an account. */
  canSignIn: boolean;
};

export type Provider = ProviderInfo & {
  /** The provider's protocol. Reads the discovery document of single sign-on, and throws when it can't be read. */
  load(): Promise<LoadedProvider>;
};

/** `nonce`: whether its ID token repeats the nonce of the request. */
export type LoadedProvider = { protocol: OAuthProvider; nonce: "sent" | "by-protocol" | "none" };

const catalog = {
  sso: { name: "SSO", canSignIn: true },
  google: { name: "Google", canSignIn: true },
  apple: { name: "Apple", canSignIn: true },
  github: { name: "GitHub", canSignIn: false },
  linkedin_oidc: { name: "LinkedIn", canSignIn: false },
  twitch: { name: "Twitch", canSignIn: false },
  spotify: { name: "Spotify", canSignIn: false },
  slack: { name: "Slack", canSignIn: false },
  facebook: { name: "Facebook", canSignIn: false },
} as const;

export type ProviderId = keyof typeof catalog;

export function isProviderId(id: string): id is ProviderId {
  return Object.hasOwn(catalog, id);
}

/** A wallet is stored like an account at a provider. */
export const walletProvider = { id: "wallet", name: "Ethereum wallet" } as const;

/** Also of a provider that is no longer configured, and of a wallet. */
export function providerName(id: string): string {
  if (id === walletProvider.id) return walletProvider.name;
  return isProviderId(id) ? catalog[id].name : id;
}

export type Providers = {
  /** In the order of their buttons. */
  list: readonly ProviderInfo[];
  find(id: string): Provider | undefined;
};

/** The configured providers, built on those of better-auth. Single sign-on alone, where the operator wants that. */
export function createProviders({ auth, settings }: { auth: BetterAuth; settings: ProviderSettings }): Providers {
  const loaders = createLoaders(auth, settings);
  const ids = Object.keys(catalog).filter((id) => isProviderId(id));
  const isShown = (id: ProviderId) => !settings.sso?.isOnly || id === "sso" || !catalog[id].canSignIn;
  const list = ids
    .filter((id) => loaders[id] && isShown(id))
    .map((id) => ({ id, ...catalog[id], ...(id === "sso" && settings.sso && { name: settings.sso.name }) }));
  return {
    list,
    find: (id) => {
      const info = list.find((one) => one.id === id);
      const load = info && loaders[info.id];
      return load && { ...info, load };
    },
  };
}

type Loaders = Partial<Record<ProviderId, () => Promise<LoadedProvider>>>;

function createLoaders(auth: BetterAuth, settings: ProviderSettings): Loaders {
  const { sso, apple: ofApple, ...clients } = settings;
  const makeSecret = ofApple && createAppleSecret(ofApple);
  const plain = (protocol: OAuthProvider) => async () => ({ protocol, nonce: "none" as const });
  const signed = (protocol: OAuthProvider) => async () => ({ protocol, nonce: "sent" as const });
  return {
    ...(sso && { sso: createOidcLoader(auth, sso) }),
    ...(clients.google && { google: signed(google(clients.google)) }),
    ...(ofApple &&
      makeSecret && {
        apple: async () => ({
          protocol: apple({ clientId: ofApple.clientId, clientSecret: await makeSecret() }),
          nonce: "sent" as const,
        }),
      }),
    ...(clients.github && { github: plain(github(clients.github)) }),
    ...(clients.linkedin_oidc && { linkedin_oidc: plain(linkedin(clients.linkedin_oidc)) }),
    ...(clients.twitch && { twitch: plain(twitch(clients.twitch)) }),
    ...(clients.spotify && { spotify: plain(spotify(clients.spotify)) }),
    ...(clients.slack && { slack: plain(slack(clients.slack)) }),
    ...(clients.facebook && { facebook: plain(facebook(clients.facebook)) }),
  };
}

type OidcProvider = { protocol: OAuthProvider; nonce: "by-protocol" };

/** The discovery document is read at the first sign-in, so that a provider that is down doesn't keep this process from starting. */
function createOidcLoader(auth: BetterAuth, { issuer, trustsEmail, ...client }: Required<ProviderSettings>["sso"]) {
  let loaded: OidcProvider | undefined;
  return async (): Promise<OidcProvider> => {
    if (loaded) return loaded;
    const discoveryUrl = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
    // Loaded with the first single sign-on: all plugins together take up 11 MB.
    const { genericOAuth } = await import("better-auth/plugins");
    const plugin = genericOAuth({
      config: [
        {
          providerId: "sso",
          discoveryUrl,
          clientId: client.clientId,
          clientSecret: client.clientSecret,
          scopes: ["openid", "email", "profile"],
          pkce: true,
          requireIdTokenVerification: true,
          ...(trustsEmail && { mapProfileToUser: () => ({ emailVerified: true }) }),
          authentication: await findAuthentication(discoveryUrl),
        },
      ],
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of our own options, which the plugin declares more widely
    const authContext = (await auth.$context) as unknown as Parameters<typeof plugin.init>[0];
    const { context } = await plugin.init(authContext);
    const protocol = context.socialProviders.find(({ id }) => id === "sso");
    if (!protocol) throw new Error("The discovery document of OIDC_ISSUER can't be read.");
    if (withoutSlash(protocol.issuer ?? "") !== withoutSlash(issuer))
      throw new Error(`OIDC_ISSUER is ${issuer}, but the discovery document names the issuer ${protocol.issuer}.`);
    loaded = { protocol, nonce: "by-protocol" };
    return loaded;
  };
}

/** Some issuers end with a slash, which is easily forgotten. ID tokens must name the issuer as the discovery document does. */
function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

const discovery = z.object({ token_endpoint_auth_methods_supported: z.array(z.string()).optional() });

/** Where the client's secret goes. A provider that names no way knows only `client_secret_basic` (OpenID Connect Discovery 1.0 §3). */
async function findAuthentication(discoveryUrl: string): Promise<"basic" | "post"> {
  const document = discovery.parse(await (await fetch(discoveryUrl)).json());
  const methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic") && !methods.includes("client_secret_post") ? "basic" : "post";
}
