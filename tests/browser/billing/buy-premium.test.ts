import { expect, test } from "vitest";

import { desktop, openOwnSite, phone } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

const stripe = await openStripe({ closesAfterTest: false });
const site = openOwnSite(stripe.env);

test.each([
  { how: "on a desktop", device: desktop },
  { how: "on a phone without script", device: { ...phone, javaScriptEnabled: false } },
])("buys Premium, cancels it in the portal and sees when it ends: $how", async ({ device }) => {
  const { page, context } = await site.open(device);
  await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
  await page.goto("/pricing?period=yearly");
  await page.getByRole("button", { name: "Upgrade to Premium" }).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("heading", { name: "You're Pro now!" }).waitFor();
  await page.getByRole("link", { name: "Add another card" }).waitFor();
  await page.goto("/account");
  await page.getByText("Renews on").waitFor();
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Manage subscription" }).click();
  const portal = await opened;
  await portal.getByRole("button", { name: "Cancel subscription" }).click();
  await portal.getByRole("link", { name: "Return to Meishi" }).click();
  await portal.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await portal.getByRole("button", { name: "Refresh" }).click();
  await portal.getByText("Ends on").waitFor();
  expect(await portal.getByText("Active", { exact: true }).isVisible()).toBe(true);
  await portal.close();
});
