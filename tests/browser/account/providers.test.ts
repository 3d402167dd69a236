import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

import { openOwnSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { appleEnv, providerEnv, ssoEnv, startProviders } from "#tests/support/providers/provider-doubles.ts";
import type { ProviderDoubles } from "#tests/support/providers/provider-doubles.ts";
import { openProviderGateway, showProviderPages } from "#tests/support/providers/provider-gateway.ts";

const issuer = "https://login.corp.example";
let providers: ProviderDoubles;
let stopAll = async () => {};
const site = openOwnSite(async () => {
  providers = await startProviders(issuer);
  const gateway = await openProviderGateway(providers);
  stopAll = async () => {
    gateway.stop();
    await providers.stop();
  };
  return { ...providerEnv, ...appleEnv, ...ssoEnv(issuer), ...gateway.env };
});

afterAll(() => stopAll());

async function open(options = {}) {
  const { page, context } = await site.open({ ...phone, reducedMotion: "reduce", ...options });
  await showProviderPages(context, providers);
  return { page, context };
}

test("a user signs up with Google", async () => {
  const { page } = await open();
  await page.goto("/auth?tab=signup");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.waitForURL("https://accounts.google.com/**");
  await page.getByRole("link", { name: "Continue as Ada" }).click();
  await page.waitForURL("**/start/name");
  expect(await page.getByLabel("Name").inputValue()).toBe("Ada Lovelace");
});

test("a user signs up with Apple, which sends a form from its own site, without script", async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.goto("/auth");
  await page.getByRole("button", { name: "Continue with Apple" }).click();
  await page.waitForURL("https://appleid.apple.com/**");
  await page.getByRole("button", { name: "Continue as Ada" }).click();
  await page.waitForURL("**/start/name");
  expect(await page.getByLabel("Name").inputValue()).toBe("Ada Lovelace");
  expect(page.url()).not.toMatch(/code|token/);
});

test("a user signs in and out with single sign-on", async () => {
  const { page } = await open();
  await page.goto("/auth");
  await page.getByRole("button", { name: "Continue with Example Corp" }).click();
  await page.waitForURL(`${issuer}/authorize**`);
  await page.getByRole("link", { name: "Continue as Ada" }).click();
  await page.waitForURL("**/start/name");
  await page.goto("/account");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await page.waitForURL(`${issuer}/endsession**`);
  await page.getByRole("link", { name: "Back to the app" }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await page.goto("/profile");
  await page.waitForURL("**/auth?**");
});

test("a user connects GitHub, takes over its name, and disconnects it", async () => {
  const { page, context } = await open();
  await signUp(context, site.program, "ada@example.com");
  await openSocialAccounts(page);
  await page.getByRole("button", { name: "Connect GitHub", exact: true }).click();
  await page.waitForURL("https://github.com/login/oauth/authorize**");
  await page.getByRole("link", { name: "Continue as Ada" }).click();
  await page.waitForURL("**/profile");
  await page.getByText("GitHub connected").waitFor();
  await page.getByRole("button", { name: "Use this name" }).click();
  await page.getByText("Name changed").waitFor();
  expect(await page.getByLabel("Display name").inputValue()).toBe("Ada at GitHub");
  await openSocialAccounts(page);
  await page.getByRole("button", { name: "Disconnect GitHub" }).click();
  await page.getByText("GitHub disconnected").waitFor();
  await openSocialAccounts(page);
  await page.getByRole("button", { name: "Connect GitHub", exact: true }).waitFor();
});

async function openSocialAccounts(page: Page) {
  await page.goto("/profile");
  await waitForHydration(page);
  await page.getByText("Advanced", { exact: true }).click();
}
