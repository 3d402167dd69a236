import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";

import { Provider } from "oidc-provider";
import type { ClientAuthMethod, Configuration } from "oidc-provider";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

export type CertifiedProvider = Awaited<ReturnType<typeof openCertifiedProvider>>;

type ProviderOptions = {
  /** Where Meishi is. */
  baseUrl: string;
  /** How clients authenticate at the token endpoint. */
  authMethod?: ClientAuthMethod;
  /** Instead of those that are given below. */
  claims?: Record<string, unknown>;
};

/** Registered for Meishi. */
export const certifiedClient = { id: "meishi", secret: "sesame-".repeat(6) };

/**
 * oidc-provider, which the OpenID Foundation has certified, on a port of its own. It insists on what Meishi promises: PKCE, the redirect
 * address, and the client's secret. As its specification says, its ID token has no email: that comes from the userinfo endpoint.
 */
export async function openCertifiedProvider({ baseUrl, authMethod = "client_secret_post", claims }: ProviderOptions) {
  const server = createServer();
  const issuer = `http://localhost:${await listenAnywhere(server)}`;
  cleanUpAfterTest(() => {
    server.close();
    server.closeAllConnections();
  });
  const provider = new Provider(issuer, configure({ baseUrl, authMethod, claims }));
  const errors: string[] = [];
  const note = (kind: string) => (_: unknown, error: Error) => void errors.push(`${kind}: ${error.message}`);
  provider.on("authorization.error", note("authorization"));
  provider.on("grant.error", note("grant"));
  provider.on("userinfo.error", note("userinfo"));
  provider.on("end_session.error", note("end of the session"));
  server.on("request", provider.callback());
  return { issuer, errors, openBrowser: () => openBrowser(issuer) };
}

function configure({
  baseUrl,
  authMethod,
  claims,
}: Required<Pick<ProviderOptions, "baseUrl" | "authMethod">> & Pick<ProviderOptions, "claims">): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: certifiedClient.id,
        client_secret: certifiedClient.secret,
        redirect_uris: [`${baseUrl}/api/auth/callback/sso`],
        post_logout_redirect_uris: [`${baseUrl}/auth`],
        token_endpoint_auth_method: authMethod,
      },
    ],
    clientAuthMethods: [authMethod],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] },
    // Its defaults print a notice each.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@corp.example`, email_verified: true, name: "Ada Lovelace", ...claims }),
    }),
  };
}

/** A browser without script, with cookies, that stays on the provider's site. */
function openBrowser(issuer: string) {
  const cookies = new Map<string, string>();

  /** Follows redirects on the site. Returns the page, or the address on another site that it leads to. */
  async function open(to: string | URL, init: RequestInit = {}): Promise<{ page: string } | { left: URL }> {
    const url = new URL(to, issuer);
    if (url.origin !== issuer) return { left: url };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split(/=(.*)/) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const location = response.headers.get("location");
    return location ? open(new URL(location, url)) : { page: await response.text() };
  }

  /** Submits the form of a page. */
  async function submit(page: string, fields: Record<string, string>) {
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`No form: ${page.slice(0, 500)}`);
    const hidden = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
    const body = new URLSearchParams({
      ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
      ...fields,
    });
    return open(action, { method: "POST", body });
  }

  return { open, submit };
}
