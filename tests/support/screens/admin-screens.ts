import type { Page } from "playwright-core";

import { waitForLoad } from "#tests/support/browser/site.ts";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";

/** What operators see. */
export function adminScreens({ people }: ScreenAccounts): Screen[] {
  const user = (id: string) => `/admin/users/${id}`;
  return [
    { name: "an operator without a second factor", as: "waiting", path: "/admin/two-step" },
    { name: "the users", as: "operator", path: "/admin/users" },
    { name: "a search that finds no user", as: "operator", path: "/admin/users?q=no%20one" },
    { name: "a user with a full profile", as: "operator", path: user(people.full.id) },
    { name: "an unconfirmed user", as: "operator", path: user(people.unconfirmed.id) },
    { name: "a blocked user", as: "operator", path: user(people.blocked.id) },
    { name: "an operator's own account", as: "operator", path: user(people.operator.id) },
    { name: "another operator's account", as: "operator", path: user(people.waiting.id) },
    { name: "a block without a reason", as: "operator", path: user(people.full.id), prepare: blockWithoutReason },
    { name: "a user with Premium from an operator", as: "operator", path: user(people.premium.id) },
    { name: "a grant until a day that is over", as: "operator", path: user(people.full.id), prepare: grantInThePast },
    { name: "what is set up", as: "operator", path: "/admin/setup" },
    { name: "a test email", as: "operator", path: "/admin/setup", prepare: sendTestMail },
  ];
}

async function blockWithoutReason(page: Page) {
  await waitForLoad(page, () => page.getByRole("button", { name: "Block", exact: true }).click());
}

async function grantInThePast(page: Page) {
  await page.getByLabel("Until").fill("2020-01-01");
  await waitForLoad(page, () => page.getByRole("button", { name: "Grant Premium" }).click());
}

async function sendTestMail(page: Page) {
  await waitForLoad(page, () => page.getByRole("button", { name: "Send a test email" }).click());
}
