import { createPublicKey } from "node:crypto";

import { decodeJwt, jwtVerify } from "jose";
import { expect, test, vi } from "vitest";

import { createAppleSecret } from "#app/services/auth/oauth/apple-secret.server.ts";
import { locationOf } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { appleEnv } from "#tests/support/providers/provider-doubles.ts";
import { listUsers, openProvider, openProviderApp, signInWith } from "#tests/support/providers/provider-visits.ts";
import { appleClaims, appleUser } from "#tests/support/providers/recorded-profiles.ts";

const privateKey = appleEnv.APPLE_PRIVATE_KEY;

test("the name that comes once, and the address of the relay, reach the new account", async () => {
  const { visitor, services, providers } = await openProviderApp();
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
  expect(locationOf(await ada.get(locationOf(posted) ?? ""))).toBe("/start");
  expect(await listUsers(services)).toMatchObject([{ name: "Ada Lovelace", email: appleClaims.email }]);
  const secret = providers.state.tokenRequests[0]?.get("client_secret") ?? "";
  const audience = "https://appleid.apple.com";
  const { payload, protectedHeader } = await jwtVerify(secret, createPublicKey(privateKey), { audience });
  expect(protectedHeader).toMatchObject({ alg: "ES256", kid: "KEY1234567" });
  expect(payload).toMatchObject({ iss: "TEAM123456", sub: "com.example.web" });
  // Later sign-ins come without the name, and keep it.
  expect(locationOf(await signInWith(visitor(), "apple", { providers }))).toBe("/profile");
});

test("a user field that isn't Apple's is left out", async () => {
  const { visitor, services, providers } = await openProviderApp();
  const ada = visitor();
  const callback = await providers.approve(await openProvider(ada, "apple"));
  callback.searchParams.set("user", '{"name":{"firstName":["x"]},');
  expect(locationOf(await ada.get(callback.pathname + callback.search))).toBe("/start");
  expect(await listUsers(services)).toMatchObject([{ name: "" }]);
});

test("the client secret is used again, and made anew before it expires", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const makeSecret = createAppleSecret({ clientId: "a", teamId: "b", keyId: "c", privateKey });
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
