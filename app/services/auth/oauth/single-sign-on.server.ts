import type { OAuthProvider } from "better-auth/oauth2";
import { z } from "zod";

import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { OidcSettings } from "#app/services/config/provider-settings.server.ts";

type OidcProvider = { protocol: OAuthProvider; nonce: "by-protocol" };

/** The discovery document is read at the first sign-in, so that a provider that is down doesn't keep this process from starting. */
export function createOidcLoader(auth: BetterAuth, { issuer, trustsEmail, ...client }: OidcSettings) {
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
