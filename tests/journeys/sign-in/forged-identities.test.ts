import { generateKeyPairSync, sign } from "node:crypto";

import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { openProviders, providerEnv } from "#tests/support/providers/provider-doubles.ts";
import { openProvider, signInWith } from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const ids = ["google", "sso"] as const;

/** Google, and single sign-on that says the same about its user as Google does. */
async function openApp(env: Record<string, string> = {}) {
  const providers = await openProviders();
  const oidc = { OIDC_ISSUER: providers.issuer, OIDC_CLIENT_ID: "meishi", OIDC_CLIENT_SECRET: "sesame" };
  providers.state.person = { ...googleClaims, iss: providers.issuer, aud: "meishi" };
  const app = await createTestApp({ env: { ...providerEnv, ...oidc, ...env } });
  const signIn = (id: (typeof ids)[number]) => {
    // The doubles share one person; each provider names itself as the issuer.
    const own = id === "google" ? { iss: googleClaims.iss, aud: "client-of-google" } : { iss: providers.issuer };
    Object.assign(providers.state.person, { aud: "meishi", ...own });
    return signInWith(app.visitor(), id, { providers });
  };
  const listUsers = async () =>
    (await app.services.db
      .selectFrom("user" as "setting")
      .selectAll()
      .execute()) as unknown as { id: string; email: string }[];
  return { ...app, providers, signIn, listUsers };
}

const location = (response: Response) => response.headers.get("location");
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What someone who can't sign for the provider makes of its ID token. */
const forgeries: Record<string, (token: string) => string> = {
  "whose content was changed": (token) => {
    const [header, payload = "", signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    return [header, encode({ ...claims, sub: "another-user" }), signature].join(".");
  },
  "without a signature": (token) => [encode({ alg: "none", typ: "JWT" }), token.split(".")[1], ""].join("."),
  "signed with another key": (token) => {
    const text = token.split(".").slice(0, 2).join(".");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  },
};

test.each(ids.flatMap((id) => Object.entries(forgeries).map(([what, forge]) => ({ id, what, forge }))))(
  "$id: an ID token $what is refused",
  async ({ id, forge }) => {
    const { providers, signIn, listUsers } = await openApp();
    expect(location(await signIn(id))).toBe("/start");
    providers.server.service.on("beforeResponse", (response: { body: Record<string, unknown> }) => {
      response.body.id_token = forge(String(response.body.id_token));
    });
    expect(location(await signIn(id))).toBe(`/auth?error=sign_in_failed&provider=${id}`);
    expect(await listUsers()).toHaveLength(1);
  },
);

test("the same user id at another provider is another user, however much else is the same", async () => {
  const { signIn, listUsers } = await openApp();
  expect(location(await signIn("google"))).toBe("/start");
  expect(location(await signIn("sso"))).toMatch(/^\/auth\?.*error=account_exists/);
  expect(await listUsers()).toHaveLength(1);
});

test("a discovery document that names another issuer is refused", async () => {
  const { visitor, providers } = await openApp();
  providers.server.issuer.url = "https://evil.example";
  expect(location(await visitor().post("/auth/with/sso", {}))).toBe("/auth?error=unreachable&provider=sso");
  providers.server.issuer.url = providers.issuer;
  expect(new URL(await openProvider(visitor(), "sso")).origin).toBe(providers.issuer);
});

test("a callback that says it comes from another authorization server is refused before its code is sent anywhere", async () => {
  const { visitor, providers } = await openApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "sso"));
  callback.searchParams.set("iss", "https://evil.example");
  const refused = await ada.get(callback.pathname + callback.search);
  expect(location(refused)).toBe("/auth?error=sign_in_failed&provider=sso");
  expect(providers.state.tokenRequests).toEqual([]);
});
