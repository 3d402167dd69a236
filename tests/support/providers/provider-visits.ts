import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { logIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";

import { appleEnv, openProviders, providerEnv, ssoEnv } from "./provider-doubles.ts";
import type { ProviderDoubles } from "./provider-doubles.ts";

/** The product with a client at each provider. Requests to providers end at the doubles. */
export async function openProviderApp({
  env = {},
  ...options
}: { env?: Record<string, string>; allowedOrigins?: string[] } = {}) {
  const providers = await openProviders();
  const clients = { ...providerEnv, ...appleEnv, ...ssoEnv(providers.issuer) };
  return { ...(await createTestApp({ ...options, env: { ...clients, ...env } })), providers };
}

/** The address at the provider that a response without script opens. */
export async function readProviderUrl(response: Response): Promise<string> {
  const page = await response.text();
  const url = /content="0; url=([^"]+)"/.exec(page)?.[1];
  if (url === undefined) throw new Error(`No address of a provider: ${response.status} ${page.slice(0, 200)}`);
  return url.replaceAll("&#38;", "&");
}

/** Presses the button of a provider; returns the address at the provider. */
export async function openProvider(visitor: Pick<Visitor, "post">, id: string, query = ""): Promise<string> {
  return readProviderUrl(await visitor.post(`/auth/with/${id}${query}`, {}));
}

/** Signs in with a provider; returns the response to the callback. */
export async function signInWith(
  visitor: Pick<Visitor, "post" | "get">,
  id: string,
  { providers, query = "" }: { providers: Pick<ProviderDoubles, "approve">; query?: string },
): Promise<Response> {
  const callback = await providers.approve(await openProvider(visitor, id, query));
  return visitor.get(callback.pathname + callback.search);
}

export const listUsers = (services: TestApp["services"]) =>
  selectAll<{ id: string; email: string; name: string; emailVerified: number }>(services, "user");

/** Connects an account at a provider; returns the response to the callback. */
export async function connectWith(
  visitor: Pick<Visitor, "post" | "get">,
  id: string,
  { providers, returnTo = "/profile" }: { providers: Pick<ProviderDoubles, "approve">; returnTo?: string },
): Promise<Response> {
  const opened = await visitor.post(`/account/connections/${id}`, { intent: "connect", returnTo });
  const callback = await providers.approve(await readProviderUrl(opened));
  return visitor.get(callback.pathname + callback.search);
}

/** A user who has just proved who they are with a password. */
export async function signedInNow(
  { visitor, ...app }: Pick<TestApp, "visitor" | "signedIn">,
  email = "ada@example.com",
) {
  const { password } = await app.signedIn(email);
  const user = visitor();
  await logIn(user, { email, password });
  return { ...user, email, password };
}

export const listAccounts = (services: TestApp["services"]) =>
  selectAll<Record<string, string | null>>(services, "account");
