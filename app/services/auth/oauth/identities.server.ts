import { setTimeout as pause } from "node:timers/promises";

import { verifyProviderIdToken } from "better-auth/oauth2";
import type { OAuth2Tokens, OAuthProvider } from "better-auth/oauth2";
import { decodeJwt } from "jose";
import { z } from "zod";

import { parseEmail } from "#app/services/base/email-address.ts";

import type { LoadedProvider } from "./providers.server.ts";

/** The account at a provider whose owner has just proved that it is theirs. */
export type Identity = {
  /** The provider's id of the account, which never changes. */
  accountId: string;
  /** One address, in lower case, with its domain in ASCII. */
  email: string | undefined;
  /** Why no account may be created with the address: names the claim, without its value. Undefined if one may. */
  emailProblem: string | undefined;
  name: string;
  /** The address of an image, or "". */
  picture: string;
  /** The address of the public page, or "". */
  profileUrl: string;
  tokens: OAuth2Tokens;
};

export type IdentityResult =
  | { kind: "found"; identity: Identity }
  /** The provider is down, slow, or answers something else. */
  | { kind: "unreachable"; cause: unknown }
  /** The provider refused the code, or its ID token isn't valid. */
  | { kind: "refused"; cause: unknown };

type Callback = {
  code: string;
  codeVerifier: string;
  nonce: string;
  redirectURI: string;
  /** Apple's `user`, which comes once. */
  user: string | null;
  /** RFC 9207. */
  iss: string | null;
};

const timeLimitMs = 10_000;

/** Exchanges the code of a callback for the identity of its user. */
export function findIdentity(load: () => Promise<LoadedProvider>, callback: Callback): Promise<IdentityResult> {
  return ask(load, (provider) => exchange(provider, callback));
}

/** Reads the identity in an ID token that the provider gave to an app. `nonce`: what its claim has to say; "" if it has none. */
export function readTokenIdentity(
  load: () => Promise<LoadedProvider>,
  { idToken, nonce }: { idToken: string; nonce: string },
): Promise<IdentityResult> {
  return ask(load, async ({ protocol }) => {
    if (decodeJwt(idToken).nonce !== (nonce || undefined)) return refused("The ID token has another nonce.");
    if (!(await isValidIdToken(protocol, idToken, nonce))) return refused("The ID token isn't valid.");
    const tokens = { idToken };
    const found = await protocol.getUserInfo(tokens);
    return found ? describe(protocol, tokens, found) : refused("The profile isn't valid.");
  });
}

async function ask(
  load: () => Promise<LoadedProvider>,
  work: (provider: LoadedProvider) => Promise<IdentityResult>,
): Promise<IdentityResult> {
  try {
    return await withTimeLimit(work(await withTimeLimit(load())));
  } catch (error) {
    const found = clientError.safeParse(error);
    return found.success ? refused(`${found.data.status} ${found.data.error}`) : { kind: "unreachable", cause: error };
  }
}

const errorCode = z.string().regex(/^\w{1,60}$/);

/** The provider understood the request, and says that it is wrong (RFC 6749 §5.2). */
const clientError = z.object({
  status: z.number().min(400).max(499),
  error: errorCode.catch("without a reason"),
});

/** Rejects when the work takes longer than ten seconds, or than `limitMs`. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs = timeLimitMs): Promise<T> {
  const timer = new AbortController();
  const timeLimit = pause(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error("The provider took too long.");
  });
  try {
    return await Promise.race([work, timeLimit]);
  } finally {
    timeLimit.catch(() => undefined);
    timer.abort();
  }
}

async function exchange({ protocol, nonce }: LoadedProvider, callback: Callback): Promise<IdentityResult> {
  const { code, codeVerifier, redirectURI, user, iss } = callback;
  if (iss && protocol.issuer && iss !== protocol.issuer) return refused("The callback is of another issuer.");
  const tokens = await protocol.validateAuthorizationCode({ code, codeVerifier, redirectURI });
  if (!tokens) return refused("The provider didn't accept the code.");
  if (!tokens.accessToken && !tokens.idToken) return noTokens(tokens);
  if (nonce === "sent") {
    if (!tokens.idToken) return noAnswer("no ID token");
    if (!(await isValidIdToken(protocol, tokens.idToken, callback.nonce))) return refused("The ID token isn't valid.");
  }
  const found = await protocol.getUserInfo({
    ...tokens,
    ...(nonce === "by-protocol" && { expectedIdTokenNonce: callback.nonce }),
    ...(user !== null && { user: readAppleUser(user) }),
  });
  return found ? describe(protocol, tokens, found) : refused("The profile isn't valid.");
}

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider["getUserInfo"]>>>;

async function describe(protocol: OAuthProvider, tokens: OAuth2Tokens, found: UserInfo): Promise<IdentityResult> {
  const accountId = await readAccountId(protocol, tokens, found.data);
  const { name, image } = found.user;
  const email = parseEmail(found.user.email);
  return {
    kind: "found",
    identity: {
      accountId,
      email,
      emailProblem: findEmailProblem({ ...found.user, parsed: email }, found.data),
      name: textClaim.parse(name).trim(),
      picture: textClaim.parse(image),
      profileUrl: profileUrlOf(protocol.id, found.data),
      tokens,
    },
  };
}

/** Throws when the provider's keys can't be fetched, which better-auth takes for a wrong signature. */
async function isValidIdToken(protocol: OAuthProvider, idToken: string, nonce: string): Promise<boolean> {
  const rules = protocol.idToken;
  if (!rules || !("jwks" in rules)) return verifyProviderIdToken(protocol, idToken, nonce);
  const failures: unknown[] = [];
  const jwks: typeof rules.jwks = async (...token) => {
    try {
      return await rules.jwks(...token);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const isValid = await verifyProviderIdToken({ ...protocol, idToken: { ...rules, jwks } }, idToken, nonce);
  if (failures.length > 0) throw failures[0];
  return isValid;
}

/** The declared types are the specification's, not what providers send. */
const textClaim = z.string().catch("");

type ProviderEmail = { email?: unknown; emailVerified?: unknown; parsed: string | undefined };

function findEmailProblem({ email, emailVerified, parsed }: ProviderEmail, claims: object): string | undefined {
  if (!email) return "The claim email is missing.";
  if (parsed === undefined) return "The claim email isn't one email address.";
  if (isTrue.safeParse(emailVerified).success) return undefined;
  return `The claim email_verified ${"email_verified" in claims ? "isn't true" : "is missing"}.`;
}

/** Some providers send it as text. */
const isTrue = z.literal([true, "true"]);

function refused(reason: string): IdentityResult {
  return { kind: "refused", cause: new Error(reason) };
}

/** Slack refuses with status 200. */
function noTokens({ raw }: OAuth2Tokens): IdentityResult {
  const error = z.object({ error: errorCode }).safeParse(raw);
  return error.success ? refused(error.data.error) : noAnswer("no tokens");
}

function noAnswer(what: string): IdentityResult {
  return { kind: "unreachable", cause: new Error(`The provider's response has ${what}.`) };
}

async function readAccountId(protocol: OAuthProvider, tokens: OAuth2Tokens, profile: object): Promise<string> {
  const id = String(await protocol.accountSubject({ tokens, profile }));
  if (["", "undefined", "null", "NaN"].includes(id.trim())) throw new Error("The provider's profile has no id.");
  return id;
}

const appleUser = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
});

function readAppleUser(text: string) {
  try {
    const name = appleUser.safeParse(JSON.parse(text)).data?.name;
    return name && { name: { firstName: name.firstName ?? "", lastName: name.lastName ?? "" } };
  } catch {
    // Any page can send this parameter.
    return undefined;
  }
}

const publicPages = z.object({
  html_url: z.string().optional(),
  preferred_username: z.string().optional(),
  external_urls: z.object({ spotify: z.string().optional() }).optional(),
});

/** The address of the public page, for the providers that say it. */
function profileUrlOf(providerId: string, profile: object): string {
  const { html_url, preferred_username, external_urls } = publicPages.safeParse(profile).data ?? {};
  const addresses: Record<string, string | undefined> = {
    github: html_url,
    twitch: preferred_username && `https://www.twitch.tv/${encodeURIComponent(preferred_username.toLowerCase())}`,
    spotify: external_urls?.spotify,
  };
  const url = URL.parse(addresses[providerId] ?? "");
  return url?.protocol === "https:" ? url.href : "";
}
