import { createHash } from "node:crypto";

import { decodeJwt } from "jose";
import { z } from "zod";

import type { OAuthClient } from "#app/services/config/settings.ts";
import type { Services } from "#app/services/http/context.ts";

import { saveToken } from "./data.server.ts";
import type { Integration } from "./data.server.ts";
import { DestinationError } from "./destination-request.server.ts";
import { readJson } from "./destination.ts";
import type { Destination, OAuthAccess, SendRequest, Settings } from "./destination.ts";

/** What an owner's consent at a service brings. `account`: their name there, for owners. The access token isn't stored. */
type AccessSettings = { account: string; refreshToken: string; accessToken: string };

export type Access = { oauth: OAuthAccess; client: OAuthClient };

/** Undefined when the operator has no client at the service, and for a service without OAuth. */
export function findAccess({ config }: Pick<Services, "config">, { oauth }: Destination): Access | undefined {
  const client = oauth && config.contactClients[oauth.client];
  return client && { oauth, client };
}

/** Where services send owners back to. Operators register it with their client. */
export function callbackUrl({ config }: Pick<Services, "config">, kind: string): string {
  return `${config.baseUrl}/integrations/callback/${kind}`;
}

/** The name under which its states are stored, so that the callback of a sign-in accepts none of them. */
export function stateProvider(kind: string): string {
  return `contacts-${kind}`;
}

type AuthorizationRequest = { state: string; codeVerifier: string; redirectUri: string };

/** The page at which an owner agrees (RFC 6749 §4.1.1), with PKCE (RFC 7636). */
export function authorizationUrl({ oauth, client }: Access, request: AuthorizationRequest): string {
  const url = new URL(oauth.authorizeUrl);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    scope: ["openid", "email", ...oauth.scopes, oauth.contactsScope].join(" "),
    state: request.state,
    code_challenge: createHash("sha256").update(request.codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    ...oauth.parameters,
  }).toString();
  return url.href;
}

type CodeExchange = { code: string; codeVerifier: string; redirectUri: string };

/** The settings of an integration for what an owner agreed to. Throws a `DestinationError`. */
export async function exchangeCode(
  send: SendRequest,
  access: Access,
  { code, codeVerifier, redirectUri }: CodeExchange,
): Promise<AccessSettings> {
  const grant = { grant_type: "authorization_code", code, code_verifier: codeVerifier, redirect_uri: redirectUri };
  const tokens = await requestTokens(send, access, grant);
  const isMissing = !isGranted(access.oauth.contactsScope, tokens.scope);
  if (isMissing || tokens.refresh_token === undefined)
    throw new DestinationError("refused", "Access to contacts wasn’t allowed. Try again, and tick its box.");
  const { refresh_token: refreshToken, access_token: accessToken } = tokens;
  return { account: accountOf(tokens.id_token), refreshToken, accessToken };
}

/** RFC 6749 §5.1: without a scope in the answer, everything was granted. Microsoft also answers with "Contacts.ReadWrite", without the address. */
function isGranted(wanted: string, granted: string | undefined): boolean {
  const names = granted?.toLowerCase().split(" ");
  const [full, short = ""] = [wanted.toLowerCase(), wanted.toLowerCase().split("/").at(-1)];
  return names === undefined || names.includes(full) || names.includes(short);
}

/** The settings with an access token, for the requests of the next minutes. Throws a `DestinationError`. */
export async function withAccessToken(
  services: Pick<Services, "config" | "db" | "secretBox" | "log">,
  { integration, settings, send }: { integration: Integration; settings: Settings; send: SendRequest },
): Promise<{ integration: Integration; settings: Settings }> {
  const { destination } = integration;
  if (!destination.oauth) return { integration, settings };
  const access = findAccess(services, destination);
  if (!access) throw new DestinationError("later", "This server is no longer set up for it.");
  const { refreshToken = "" } = settings;
  const tokens = await requestTokens(send, access, { grant_type: "refresh_token", refresh_token: refreshToken });
  // Microsoft sends a new refresh token each time; the former one ends 90 days after it was issued.
  const renewed = { ...settings, refreshToken: tokens.refresh_token ?? refreshToken };
  const isNew = renewed.refreshToken !== refreshToken;
  const encrypted = isNew ? await saveToken(services, { integration, settings: renewed }) : integration.encrypted;
  return { integration: { ...integration, encrypted }, settings: { ...renewed, accessToken: tokens.access_token } };
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  id_token: z.string().optional(),
});

/** RFC 6749 §5.2. */
const errorAnswer = z.object({ error: z.string(), error_description: z.string().optional() });

/** The owner must agree again. Anything else is for the operator, or passes. https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const ownerErrors = new Set(["invalid_grant", "interaction_required", "consent_required", "login_required"]);

async function requestTokens(send: SendRequest, { oauth, client }: Access, grant: Record<string, string>) {
  const answer = await send({
    method: "POST",
    url: oauth.tokenUrl,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...grant,
    }).toString(),
    accepts: [400, 401, 403],
  });
  if (answer.status < 300) return tokenAnswer.parse(readJson(answer));
  const { error, error_description: text } = errorAnswer.parse(readJson(answer));
  throw new DestinationError(ownerErrors.has(error) ? "refused" : "later", text ?? error, answer);
}

const identity = z.object({ sub: z.string(), email: z.string().optional(), preferred_username: z.string().optional() });

/** Comes from the service itself, so its signature needs no check (OpenID Connect Core 1.0 §3.1.3.7). */
function accountOf(idToken: string | undefined): string {
  const { data } = identity.safeParse(idToken === undefined ? undefined : decodeJwt(idToken));
  if (!data) throw new DestinationError("later", "The answer doesn’t say whose account it is.");
  return data.email ?? data.preferred_username ?? data.sub;
}
