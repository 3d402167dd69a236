import { generateKeyPairSync } from "node:crypto";

import { OAuth2Server } from "oauth2-mock-server";
import { vi } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import {
  appleClaims,
  facebookDebugToken,
  facebookUser,
  githubEmails,
  githubUser,
  googleClaims,
  linkedinUser,
  slackClaims,
  slackUser,
  spotifyUser,
  ssoClaims,
  twitchClaims,
} from "./recorded-profiles.ts";
import { recordedTokens } from "./recorded-tokens.ts";

/** A provider: "ok", or how it fails. */
type Health = "ok" | "down" | "html" | "refuses" | "never answers";

const tokenHosts: Record<string, { path: string; claims: Record<string, unknown> }> = {
  "oauth2.googleapis.com": { path: "/token", claims: googleClaims },
  "appleid.apple.com": { path: "/auth/token", claims: appleClaims },
  "github.com": { path: "/login/oauth/access_token", claims: {} },
  "www.linkedin.com": { path: "/oauth/v2/accessToken", claims: {} },
  "id.twitch.tv": { path: "/oauth2/token", claims: twitchClaims },
  "accounts.spotify.com": { path: "/api/token", claims: {} },
  "slack.com": { path: "/api/openid.connect.token", claims: slackClaims },
  "graph.facebook.com": { path: "/v24.0/oauth/access_token", claims: {} },
};

const keyUrls = ["https://www.googleapis.com/oauth2/v3/certs", "https://appleid.apple.com/auth/keys"];

const profiles: Record<string, unknown> = {
  "https://api.github.com/user": githubUser,
  "https://api.github.com/user/emails": githubEmails,
  "https://api.linkedin.com/v2/userinfo": linkedinUser,
  "https://api.spotify.com/v1/me": spotifyUser,
  "https://slack.com/api/openid.connect.userInfo": slackUser,
  "https://graph.facebook.com/me": facebookUser,
  "https://graph.facebook.com/debug_token": facebookDebugToken,
};

/** Clients at all providers. */
export const providerEnv = Object.fromEntries(
  ["GOOGLE", "GITHUB", "LINKEDIN", "TWITCH", "SPOTIFY", "SLACK", "FACEBOOK"].flatMap((name) => [
    [`${name}_CLIENT_ID`, `client-of-${name.toLowerCase()}`],
    [`${name}_CLIENT_SECRET`, `secret-of-${name.toLowerCase()}`],
  ]),
);

const { privateKey: appleKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** Sign in with Apple, with a key of its own. */
export const appleEnv = {
  APPLE_CLIENT_ID: "com.example.web",
  APPLE_TEAM_ID: "TEAM123456",
  APPLE_KEY_ID: "KEY1234567",
  APPLE_PRIVATE_KEY: appleKey.export({ type: "pkcs8", format: "pem" }),
};

/** Single sign-on at an issuer. */
export const ssoEnv = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "meishi",
  OIDC_CLIENT_SECRET: "sesame",
  OIDC_NAME: "Example Corp",
});

export type ProviderDoubles = Awaited<ReturnType<typeof startProviders>>;

/** Requests of this process to the providers' hosts end at the double, until the end of the test. */
export async function openProviders() {
  const providers = await startProviders();
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) =>
    providers.respond(new URL(input instanceof Request ? input.url : input), init),
  );
  cleanUpAfterTest(async () => {
    vi.unstubAllGlobals();
    await providers.stop();
  });
  return providers;
}

/**
 * All providers in one server that we didn't write (oauth2-mock-server), or answered with a recorded response. Single sign-on is at its
 * own address, or at `ssoIssuer`.
 */
export async function startProviders(ssoIssuer?: string) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  const local = server.issuer.url ?? "";
  const issuer = ssoIssuer ?? local;
  server.issuer.url = issuer;
  const state = createState();
  const send = globalThis.fetch;
  let claims: Record<string, unknown> = {};
  server.service.on("beforeTokenSigning", (token: { payload: Record<string, unknown> }) => {
    const clientId = state.tokenRequests.at(-1)?.get("client_id");
    Object.assign(token.payload, { aud: clientId }, claims, state.person);
  });

  /** The response of a provider. */
  async function respond(url: URL, init: RequestInit = {}): Promise<Response> {
    const address = `${url.origin}${url.pathname}`;
    state.requests.push(address);
    await state.gate;
    if (state.health === "down") throw new TypeError("fetch failed");
    if (state.health === "never answers") return new Promise(() => undefined);
    if (state.health === "html") return html();
    if (keyUrls.includes(address)) return state.hasKeys ? send(`${local}/jwks`) : html();
    if (address in profiles) return Response.json(withPerson(profiles[address], state.person));
    const isSso = url.origin === issuer;
    if (isSso && url.pathname !== "/token") return send(local + url.pathname, init);
    const host = isSso ? { path: "/token", claims: ssoClaims } : tokenHosts[url.host];
    if (host?.path !== url.pathname) throw new TypeError(`No double for ${address}`);
    const recorded = recordedTokens[url.host];
    const { status, body } = recorded?.refusal ?? { status: 400, body: { error: "invalid_grant" } };
    if (state.health === "refuses") return Response.json(body, { status });
    ({ claims } = host);
    return requestTokens(readBody(init), recorded?.tokens);
  }

  async function requestTokens(body: URLSearchParams, recorded: Record<string, unknown> | undefined) {
    state.tokenRequests.push(body);
    const answer = await send(`${local}/token`, { method: "POST", body });
    const tokens = (await answer.json()) as { id_token?: string };
    const { id_token } = tokens;
    const found = recorded ? { ...recorded, ...("id_token" in recorded && { id_token }) } : tokens;
    return Response.json(found, { status: answer.status });
  }

  /** What the browser does at the provider: opens the address, and is sent back. Returns the callback with its query. */
  async function approve(location: string): Promise<URL> {
    const search = new URLSearchParams(new URL(location).search);
    // Apple's "code id_token": the ID token in the form is never read.
    search.set("response_type", "code");
    const sentBack = await send(`${local}/authorize?${search}`, { redirect: "manual" });
    if (sentBack.status !== 302) throw new Error(`${sentBack.status} ${await sentBack.text()} ${location}`);
    return new URL(sentBack.headers.get("location") ?? "");
  }

  /** An ID token of Google for an app of this site, or with other claims. */
  function idToken(own: Record<string, unknown>): Promise<string> {
    const scopesOrTransform = (_: unknown, payload: Record<string, unknown>) =>
      void Object.assign(payload, { aud: providerEnv.GOOGLE_CLIENT_ID }, googleClaims, own);
    return server.issuer.buildToken({ scopesOrTransform });
  }

  return { state, issuer, approve, respond, idToken, server, stop: () => server.stop() };
}

function createState() {
  return {
    health: "ok" as Health,
    /** Replaces claims and fields of the profile. */
    person: {} as Record<string, unknown>,
    /** What the program sent to token endpoints. */
    tokenRequests: [] as URLSearchParams[],
    requests: [] as string[],
    /** Whether the keys of Google and Apple can be fetched. */
    hasKeys: true,
    /** Requests wait for it. */
    gate: Promise.resolve(),
  };
}

function withPerson(recorded: unknown, person: Record<string, unknown>): unknown {
  return Array.isArray(recorded) ? recorded : Object.assign({}, recorded, person);
}

function readBody(init: RequestInit): URLSearchParams {
  const { body } = init;
  return new URLSearchParams(body instanceof URLSearchParams || typeof body === "string" ? body : "");
}

function html(): Response {
  return new Response("<!doctype html><title>Be right back</title>", { headers: { "content-type": "text/html" } });
}
