import { expect, test } from "vitest";

import { decodeToast } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openProviders, providerEnv, ssoEnv } from "#tests/support/providers/provider-doubles.ts";
import { openProvider, readProviderUrl, signedInNow } from "#tests/support/providers/provider-visits.ts";

test("a provider that never answers is given up, and the user is told", async () => {
  const providers = await openProviders();
  const app = await createTestApp({ env: { ...providerEnv, ...ssoEnv(providers.issuer) } });
  const [ada, bo, cy] = [app.visitor(), await signedInNow(app, "bo@example.com"), app.visitor()];
  const google = await providers.approve(await openProvider(ada, "google", "?returnTo=/cards"));
  const opened = await bo.post("/account/connections/github", { intent: "connect", returnTo: "/profile" });
  const github = await providers.approve(await readProviderUrl(opened));
  providers.state.health = "never answers";
  const [signedIn, connected, begun] = await Promise.all([
    ada.get(google.pathname + google.search),
    bo.get(github.pathname + github.search),
    cy.post("/auth/with/sso", {}),
  ]);
  const location = (response: Response) => response.headers.get("location") ?? "";
  expect(location(signedIn)).toBe("/auth?error=unreachable&provider=google&returnTo=%2Fcards");
  const page = await (await ada.get(location(signedIn))).text();
  expect(page).toContain("We couldn&#x27;t reach Google. Try again or sign in with your password.");
  expect(location(connected)).toBe("/profile");
  expect(decodeToast(bo.cookies.get("meishi.toast"))).toMatchObject({
    title: "Failed to connect account",
    text: "We couldn't reach GitHub. Try again in a moment.",
  });
  expect(location(begun)).toBe("/auth?error=unreachable&provider=sso");
});
