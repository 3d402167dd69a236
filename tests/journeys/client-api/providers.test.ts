import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { readAddress } from "#app/services/auth/wallets/ethereum-signatures.server.ts";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { openWallet } from "#tests/support/providers/ethereum-wallet.ts";
import { listUsers, openProviderApp } from "#tests/support/providers/provider-visits.ts";

import { openClient } from "./client-app.ts";

/** Opens an address as a browser does, and returns where the response leads. */
async function follow(visitor: Pick<Visitor, "get">, url: string): Promise<string> {
  const { pathname, search } = new URL(url);
  return (await visitor.get(pathname + search)).headers.get("location") ?? "";
}

test("signing in with a provider leads back to the app with a code, which only that app exchanges", async () => {
  const product = await openProviderApp({ env: { API_APP_ORIGINS: "https://app.example" } });
  const { providers, visitor } = product;
  const { client } = openClient(product, { flowType: "pkce" });
  const options = { redirectTo: "https://app.example/in", skipBrowserRedirect: true };
  const { data } = await client.auth.signInWithOAuth({ provider: "google", options });
  const browser = visitor();
  const callback = await providers.approve(await follow(browser, data.url ?? ""));
  const back = await follow(browser, callback.href);
  expect(back).toMatch(/^\/auth\/v1\/callback\?state=/);
  const inApp = new URL(await follow(browser, `http://localhost:3000${back}`));
  expect(inApp.origin + inApp.pathname).toBe("https://app.example/in");
  const { data: signedIn, error } = await client.auth.exchangeCodeForSession(inApp.searchParams.get("code") ?? "");
  expect([error, signedIn.user?.app_metadata.providers]).toEqual([null, ["google"]]);
  // Another browser, which has just been sent the address, gets nothing, also where someone has just signed in.
  for (const other of [visitor(), await product.signedIn()])
    expect(await follow(other, `http://localhost:3000${back}`)).toBe("");
  const statuses = new Set();
  for (let n = 0; n < 61; n++) statuses.add((await browser.get(back)).status);
  expect([...statuses]).toEqual([303, 429]);
  expect((await browser.get("/auth/v1/authorize?provider=google&code_challenge=short")).status).toBe(400);
});

test("a browser in which the user was signed in before gets nothing after a cancel, and one that is trusted signs in", async () => {
  const product = await openProviderApp({ env: { API_APP_ORIGINS: "https://app.example" } });
  const { providers, visitor, services } = product;
  const browser = visitor();
  const open = () => follow(browser, "http://localhost:3000/auth/v1/authorize?provider=google");
  const begin = async () => follow(browser, (await providers.approve(await open())).href);
  await begin();
  const state = new URL(await open()).searchParams.get("state") ?? "";
  let to = `/api/auth/callback/google?${new URLSearchParams({ error: "access_denied", state })}`;
  while (to.startsWith("/") && !to.startsWith("/auth/v1/")) to = await follow(browser, `http://localhost:3000${to}`);
  expect((await browser.get(to)).status).toBe(400);

  const [{ id } = { id: "" }] = await listUsers(services);
  await services.db.insertInto("second_factor").values({ owner_id: id, enabled_at: Date.now() }).execute();
  expect(await begin()).toMatch(/^\/auth\/verify/);
  await services.db
    .updateTable("known_device")
    .set({ trusted_until: Date.now() + 60_000 })
    .execute();
  expect((await browser.get(await begin())).headers.get("location")).toContain("#access_token=");
});

test("without a challenge the session is after the #, and single sign-on begins at an address of its own", async () => {
  const product = await openProviderApp();
  const { providers, visitor } = product;
  const { client } = openClient(product);
  const { data } = await client.auth.signInWithSSO({
    domain: "example.com",
    options: { redirectTo: "http://localhost:3000/profile" },
  });
  const browser = visitor();
  const callback = await providers.approve(await follow(browser, data?.url ?? ""));
  const inApp = new URL(await follow(browser, `http://localhost:3000${await follow(browser, callback.href)}`));
  const session = new URLSearchParams(inApp.hash.slice(1));
  const tokens = { access_token: session.get("access_token") ?? "", refresh_token: session.get("refresh_token") ?? "" };
  expect((await client.auth.setSession(tokens)).data.user?.identities?.map(({ provider }) => provider)).toEqual([
    "sso",
  ]);
  // What isn't set up, and where it may not lead, is refused.
  const open = (query: string) => visitor().get(`/auth/v1/authorize?${query}`);
  for (const query of ["provider=gitlab", "provider=google&redirect_to=https://evil.example/"])
    expect((await open(query)).status).toBe(400);
});

test("accounts at providers are connected on our page, and disconnected after a new proof unless they are the only sign-in method", async () => {
  const product = await openProviderApp();
  const { client } = openClient(product);
  const ada = await product.signedIn();
  await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  const linked = await client.auth.linkIdentity({ provider: "github", options: { skipBrowserRedirect: true } });
  expect(linked.data.url).toBe("http://localhost:3000/account/connections#github");
  const { data } = await client.auth.getUserIdentities();
  const [own] = data?.identities ?? [];
  if (!own) throw new Error("no identity");
  expect((await client.auth.unlinkIdentity({ ...own, identity_id: "github" })).error?.code).toBe(
    "reauthentication_needed",
  );
});

test("an app signs in with an ID token that Google gave it for this site, and its nonce", async () => {
  const product = await openProviderApp();
  const { client } = openClient(product);
  const { idToken } = product.providers;
  const nonce = createHash("sha256").update("raw").digest("hex");
  const signIn = (token: string, raw?: string) =>
    client.auth.signInWithIdToken({ provider: "google", token, ...(raw !== undefined && { nonce: raw }) });
  const token = await idToken({ nonce });
  expect((await signIn(token)).error?.code).toBe("bad_jwt");
  expect((await signIn(token, "other")).error?.code).toBe("bad_jwt");
  expect((await signIn(await idToken({ nonce, aud: "another site" }), "raw")).error?.code).toBe("bad_jwt");
  const { data, error } = await signIn(token, "raw");
  expect([error, data.user?.app_metadata.provider]).toEqual([null, "google"]);
});

test("an app signs in with a message that a connected wallet signed for it, once", async () => {
  const product = await createTestApp({
    env: { WEB3_SIGN_IN: "on", API_APP_ORIGINS: "https://app.example, myapp://callback" },
  });
  const { client } = openClient(product);
  const wallet = openWallet();
  const write = (host: string, issuedAt: number) => {
    const rest = [
      `URI: https://${host}/`,
      "Version: 1",
      "Chain ID: 1",
      `Issued At: ${new Date(issuedAt).toISOString()}`,
    ];
    return [`${host} wants you to sign in with your Ethereum account:`, wallet.address, "", ...rest].join("\n");
  };
  const signIn = (message: string) => {
    const signature = wallet.personalSign(message) as `0x${string}`;
    return client.auth.signInWithWeb3({ chain: "ethereum", message, signature });
  };
  const message = write("app.example", Date.now());
  expect((await signIn(message)).error?.code).toBe("user_not_found");
  const ada = await product.signedIn();
  const row = {
    id: "wallet",
    accountId: readAddress(wallet.address),
    providerId: "wallet",
    userId: await userIdOf(ada),
  };
  const now = product.services.engine === "sqlite" ? new Date().toISOString() : new Date();
  await insertRows(product.services, { account: { ...row, createdAt: now, updatedAt: now } });
  const refused = [
    write("evil.example", Date.now()),
    write("callback", Date.now()),
    write("app.example", Date.now() - 3_600_000),
  ];
  for (const text of refused) expect((await signIn(text)).error?.code).toBe("invalid_credentials");
  expect((await signIn(message)).data.user?.email).toBe(ada.email);
  expect((await signIn(message)).error?.code).toBe("invalid_credentials");
});

test("a function is called with the token of the session, a public one with the key alone, from any site", async () => {
  const product = await openProviderApp();
  const { client } = openClient(product);
  const pass = await client.functions.invoke("generate-wallet-pass?cardId=unknown", { method: "GET" });
  expect(await pass.response?.json()).toMatchObject({ success: false });
  const before = await client.functions.invoke("get-default-images");
  expect(before.error?.message).toBe("Edge Function returned a non-2xx status code");
  const ada = await product.signedIn();
  await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect((await client.functions.invoke("get-default-images")).data).toContainEqual(
    expect.objectContaining({ urls: { raw: expect.any(String), small: expect.any(String) } }),
  );
  expect((await client.functions.invoke("check-subscription")).data).toMatchObject({ subscribed: false });
  const asked = { method: "OPTIONS", headers: { "access-control-request-headers": "apikey,x-client-info" } };
  for (const path of ["functions/v1/check-subscription", "auth/v1/user"]) {
    const { headers } = await product.app.request(`http://localhost:3000/${path}`, asked);
    expect([headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")]).toEqual([
      "*",
      "apikey,x-client-info",
    ]);
  }
});
