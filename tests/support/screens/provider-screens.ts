import type { Page } from "playwright-core";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";

/** Signing in with providers, and the accounts that are connected. */
export function providerScreens({ offerCookie }: ScreenAccounts): Screen[] {
  const failed = (name: string, code: string): Screen => ({
    name,
    as: "visitor",
    path: `/auth?error=${code}&provider=google`,
  });
  return [
    failed("a provider that can't be reached", "unreachable"),
    failed("a canceled sign-in with a provider", "canceled"),
    failed("a provider's email that has an account", "account_exists"),
    failed("a provider's email that isn't confirmed", "email_not_verified"),
    failed("a blocked account, with a provider", "account_blocked"),
    { name: "the connected accounts, some connected", as: "linked", path: "/account/connections" },
    { name: "social accounts of a profile", as: "linked", path: "/profile", prepare: openSocialAccounts },
    {
      name: "what a connected account offers",
      as: "linked",
      path: "/profile",
      isAlone: true,
      prepare: async (page) => {
        await page.context().addCookies([offerCookie]);
        await page.reload();
        await page.getByRole("button", { name: "Use this name" }).waitFor();
      },
    },
  ];
}

async function openSocialAccounts(page: Page) {
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByRole("heading", { name: "Social Accounts" }).waitFor();
}
