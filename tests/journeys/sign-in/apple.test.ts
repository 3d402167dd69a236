import { generateKeyPairSync } from "node:crypto";

import { decodeJwt, jwtVerify } from "jose";
import { expect, test, vi } from "vitest";

import { createAppleSecret } from "#app/services/auth/oauth/apple-secret.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { openProviders } from "#tests/support/providers/provider-doubles.ts";
import { openProvider, signInWith } from "#tests/support/providers/provider-visits.ts";
import { appleClaims, appleUser } from "#tests/support/providers/recorded-profiles.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ type: "pkcs8", format: "pem" });
const env = {
  APPLE_CLIENT_ID: "com.example.web",
  APPLE_TEAM_ID: "TEAM123456",
  APPLE_KEY_ID: "KEY1234567",
  APPLE_PRIVATE_KEY: key,
};

test("the name that comes once, and the address of the relay, reach the new account", async () => {
  const providers = await openProviders();
  const { visitor, services } = await createTestApp({ env });
  const ada = visitor();
  const url = await openProvider(ada, "apple");
  expect(new URL(url).searchParams.get("response_mode")).toBe("form_post");
  const callback = await providers.approve(url);
  const body = new URLSearchParams({ ...Object.fromEntries(callback.searchParams), user: JSON.stringify(appleUser) });
  // A browser sends no cookies with the form of another site.
  const posted = await visitor().request(callback.pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://appleid.apple.com" },
    body,
  });
  expect(posted.status).toBe(303);
  const response = await ada.get(posted.headers.get("location") ?? "");
  expect(response.headers.get("location")).toBe("/start");
  const [user] = await services.db
    .selectFrom("user" as "setting")
    .selectAll()
    .execute();
  expect(user).toMatchObject({ name: "Ada Lovelace", email: appleClaims.email });
  const secret = providers.state.tokenRequests[0]?.get("client_secret") ?? "";
  const { payload, protectedHeader } = await jwtVerify(secret, publicKey, { audience: "https://appleid.apple.com" });
  expect(protectedHeader).toMatchObject({ alg: "ES256", kid: "KEY1234567" });
  expect(payload).toMatchObject({ iss: "TEAM123456", sub: "com.example.web" });
  // Later sign-ins come without the name, and keep it.
  expect((await signInWith(visitor(), "apple", { providers })).headers.get("location")).toBe("/profile");
});

test("a user field that isn't Apple's is left out", async () => {
  const providers = await openProviders();
  const { visitor, services } = await createTestApp({ env });
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "apple"));
  callback.searchParams.set("user", '{"name":{"firstName":["x"]},');
  expect((await ada.get(callback.pathname + callback.search)).headers.get("location")).toBe("/start");
  const [user] = await services.db
    .selectFrom("user" as "setting")
    .selectAll()
    .execute();
  expect(user).toMatchObject({ name: "" });
});

test("the client secret is used again, and made anew before it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const makeSecret = createAppleSecret({ clientId: "a", teamId: "b", keyId: "c", privateKey: key });
  const first = await makeSecret();
  const { iat = 0, exp = 0 } = decodeJwt(first);
  // Apple accepts at most six months.
  expect(exp - iat).toBeLessThan(15_777_000);
  vi.setSystemTime((exp - 2 * 86_400) * 1000);
  expect(await makeSecret()).toBe(first);
  vi.setSystemTime((exp - 3_600) * 1000);
  const second = await makeSecret();
  expect(decodeJwt(second).exp).toBeGreaterThan(exp);
});
