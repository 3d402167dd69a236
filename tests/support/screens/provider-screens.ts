import type { ScreenAccounts } from "./accounts.ts";
import { screensOf, unfold } from "./visit.ts";
import type { Screen } from "./visit.ts";

/** Signing in with providers, and the accounts that are connected. */
export function providerScreens({ offerCookie }: ScreenAccounts): Screen[] {
  const openOffer: Screen["prepare"] = async (page) => {
    await page.context().addCookies([offerCookie]);
    await page.reload();
    await page.getByRole("button", { name: "Use this name" }).waitFor();
  };
  return [
    ...screensOf("visitor", [
      ["a provider that can't be reached", "/auth?error=unreachable&provider=google"],
      ["a provider's email that has an account", "/auth?error=account_exists&provider=google"],
    ]),
    ...screensOf("linked", [
      ["the connected accounts, some connected", "/account/connections"],
      ["social accounts of a profile", "/profile", unfold("Advanced")],
    ]),
    ...screensOf("linked", [["what a connected account offers", "/profile", openOffer]], { isAlone: true }),
  ];
}
