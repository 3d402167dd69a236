import { generateKeyPairSync, sign } from "node:crypto";

import { expect, test } from "vitest";

import { locationOf } from "#tests/support/app/visitor.ts";
import { listUsers, openProvider, openProviderApp, signInWith } from "#tests/support/providers/provider-visits.ts";
import { googleClaims } from "#tests/support/providers/recorded-profiles.ts";

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each(["google", "apple", "sso"])(
  "%s: an ID token for another client or sign-in, of another issuer, or that has expired is refused",
  async (id) => {
    const { visitor, providers, services } = await openProviderApp();
    const seen = new URL(await openProvider(visitor(), id)).searchParams.get("nonce");
    expect(seen).toMatch(/^[\w-]{43}$/);
    for (const person of [
      { aud: "another-client" },
      { iss: "https://evil.example" },
      { nonce: seen },
      { iat: secondsFromNow(-300), exp: secondsFromNow(-120) },
    ]) {
      providers.state.person = person;
      const refused = locationOf(await signInWith(visitor(), id, { providers }));
      expect(refused, Object.keys(person)[0]).toBe(`/auth?error=sign_in_failed&provider=${id}`);
    }
    expect(await listUsers(services)).toEqual([]);
  },
);

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

test.each(["google", "sso"].flatMap((id) => Object.entries(forgeries).map(([what, forge]) => ({ id, what, forge }))))(
  "$id: an ID token $what is refused",
  async ({ id, forge }) => {
    const { visitor, providers, services } = await openProviderApp();
    expect(locationOf(await signInWith(visitor(), id, { providers }))).toBe("/start");
    providers.server.service.on("beforeResponse", (response: { body: Record<string, unknown> }) => {
      response.body.id_token = forge(String(response.body.id_token));
    });
    const refused = await signInWith(visitor(), id, { providers });
    expect(locationOf(refused)).toBe(`/auth?error=sign_in_failed&provider=${id}`);
    expect(await listUsers(services)).toHaveLength(1);
  },
);

test("the same user id at another provider is another user, however much else is the same", async () => {
  const { visitor, providers, services } = await openProviderApp();
  expect(locationOf(await signInWith(visitor(), "google", { providers }))).toBe("/start");
  providers.state.person = { ...googleClaims, iss: providers.issuer };
  const other = locationOf(await signInWith(visitor(), "sso", { providers }));
  expect(other).toMatch(/^\/auth\?.*error=account_exists/);
  expect(await listUsers(services)).toHaveLength(1);
});

test("a discovery document that names another issuer is refused", async () => {
  const { visitor, providers } = await openProviderApp();
  providers.server.issuer.url = "https://evil.example";
  expect(locationOf(await visitor().post("/auth/with/sso", {}))).toBe("/auth?error=unreachable&provider=sso");
  providers.server.issuer.url = providers.issuer;
  expect(new URL(await openProvider(visitor(), "sso")).origin).toBe(providers.issuer);
});

test("a callback that says it comes from another authorization server is refused before its code is sent anywhere", async () => {
  const { visitor, providers } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "sso"));
  callback.searchParams.set("iss", "https://evil.example");
  const refused = await ada.get(callback.pathname + callback.search);
  expect(locationOf(refused)).toBe("/auth?error=sign_in_failed&provider=sso");
  expect(providers.state.tokenRequests).toEqual([]);
});
