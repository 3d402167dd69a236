import { expect, test } from "vitest";

import { decodeToast } from "#tests/support/app/responses.ts";
import { locationOf, readPage } from "#tests/support/app/visitor.ts";
import {
  openProvider,
  openProviderApp,
  readProviderUrl,
  signedInNow,
} from "#tests/support/providers/provider-visits.ts";

test("a provider that never answers is given up, and the user sees why", async () => {
  const { providers, ...app } = await openProviderApp();
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
  expect(locationOf(signedIn)).toBe("/auth?error=unreachable&provider=google&returnTo=%2Fcards");
  const text = "We couldn’t reach Google. Try again or sign in with your password.";
  expect(await readPage(ada, locationOf(signedIn) ?? "")).toContain(text);
  expect(locationOf(connected)).toBe("/profile");
  expect(decodeToast(bo.cookies.get("meishi.toast"))).toMatchObject({
    title: "Failed to connect account",
    text: "We couldn’t reach GitHub. Try again in a moment.",
  });
  expect(locationOf(begun)).toBe("/auth?error=unreachable&provider=sso");
});
