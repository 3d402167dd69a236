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
  slackUser,
  spotifyUser,
  twitchClaims,
} from "./recorded-profiles.ts";

/** A provider: "ok", or how it fails. */
type Health = "ok" | "down" | "html" | "refuses" | "never answers";

const tokenHosts: Record<string, { path: string; claims: Record<string, unknown> }> = {
  "oauth2.googleapis.com": { path: "/token", claims: googleClaims },
  "appleid.apple.com": { path: "/auth/token", claims: appleClaims },
  "github.com": { path: "/login/oauth/access_token", claims: {} },
  "www.linkedin.com": { path: "/oauth/v2/accessToken", claims: {} },
  "id.twitch.tv": { path: "/oauth2/token", claims: twitchClaims },
  "accounts.spotify.com": { path: "/api/token", claims: {} },
  "slack.com": { path: "/api/openid.connect.token", claims: {} },
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

export type ProviderDoubles = Awaited<ReturnType<typeof openProviders>>;

/**
 * All providers in one server that we didn't write (oauth2-mock-server): requests of the program to their hosts end there, or are answered
 * with a recorded response.
 */
export async function openProviders() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  const issuer = server.issuer.url ?? "";
  const state = {
    health: "ok" as Health,
    /** Replaces claims and fields of the profile. */
    person: {} as Record<string, unknown>,
    /** What the program sent to token endpoints. */
    tokenRequests: [] as URLSearchParams[],
    requests: [] as string[],
  };
  const realFetch = globalThis.fetch;
  let claims: Record<string, unknown> = {};
  server.service.on("beforeTokenSigning", (token: { payload: Record<string, unknown> }) => {
    const clientId = state.tokenRequests.at(-1)?.get("client_id");
    Object.assign(token.payload, { aud: clientId }, claims, state.person);
  });

  async function routeRequest(url: URL, init: RequestInit | undefined): Promise<Response> {
    state.requests.push(`${url.origin}${url.pathname}`);
    const address = `${url.origin}${url.pathname}`;
    if (state.health === "down") throw new TypeError("fetch failed");
    if (state.health === "never answers") return new Promise(() => undefined);
    if (state.health === "html") return html();
    if (keyUrls.includes(address)) return realFetch(`${issuer}/jwks`);
    if (address in profiles) return Response.json(withPerson(profiles[address], state.person));
    const host = tokenHosts[url.host];
    if (host?.path !== url.pathname) throw new TypeError(`No double for ${address}`);
    if (state.health === "refuses") return Response.json({ error: "invalid_grant" }, { status: 400 });
    ({ claims } = host);
    const body = readBody(init);
    state.tokenRequests.push(body);
    const answer = await realFetch(`${issuer}/token`, { method: "POST", body });
    const tokens = (await answer.json()) as Record<string, unknown>;
    // Only those with claims are OpenID providers.
    if (Object.keys(claims).length === 0) delete tokens.id_token;
    return Response.json(tokens, { status: answer.status });
  }

  vi.stubGlobal("fetch", async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== issuer) return routeRequest(url, init);
    if (url.pathname === "/token") state.tokenRequests.push(readBody(init));
    if (state.health === "down") throw new TypeError("fetch failed");
    return state.health === "html" ? html() : realFetch(input, init);
  });
  cleanUpAfterTest(async () => {
    vi.unstubAllGlobals();
    await server.stop();
  });

  /** What the browser does at the provider: opens the address, and is sent back. Returns the callback with its query. */
  async function approve(location: string): Promise<URL> {
    const url = new URL(location);
    const search = new URLSearchParams(url.search);
    // Apple's "code id_token": the ID token in the form is never read.
    search.set("response_type", "code");
    const sentBack = await realFetch(`${issuer}/authorize?${search}`, { redirect: "manual" });
    if (sentBack.status !== 302) throw new Error(`${sentBack.status} ${await sentBack.text()} ${location}`);
    return new URL(sentBack.headers.get("location") ?? "");
  }

  return { state, issuer, approve, server };
}

function withPerson(recorded: unknown, person: Record<string, unknown>): unknown {
  return Array.isArray(recorded) ? recorded : Object.assign({}, recorded, person);
}

function readBody(init: RequestInit | undefined): URLSearchParams {
  const body = init?.body;
  return new URLSearchParams(body instanceof URLSearchParams || typeof body === "string" ? body : "");
}

function html(): Response {
  return new Response("<!doctype html><title>Be right back</title>", { headers: { "content-type": "text/html" } });
}
