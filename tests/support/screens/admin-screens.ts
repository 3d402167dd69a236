import { waitForLoad } from "#tests/support/browser/site.ts";

import type { ScreenAccounts } from "./accounts.ts";
import { press, screensOf } from "./visit.ts";
import type { Screen } from "./visit.ts";

/** What operators see. */
export function adminScreens({ people }: ScreenAccounts): Screen[] {
  const user = (id: string) => `/admin/users/${id}`;
  const { email } = people.operator;
  return [
    ...screensOf("waiting", [["an operator without a second factor", "/admin/two-step"]]),
    ...screensOf("operator", [
      ["the users", "/admin/users"],
      ["a search that finds no user", "/admin/users?q=no%20one"],
      ["a user with a full profile", user(people.full.id)],
      ["an unconfirmed user", user(people.unconfirmed.id)],
      ["a blocked user", user(people.blocked.id)],
      ["an operator's own account", user(people.operator.id)],
      ["a user with Premium from an operator", user(people.premium.id)],
      ["a block without a reason", user(people.full.id), (page) => waitForLoad(page, () => press("Block")(page))],
      ["a grant until a day that is over", user(people.full.id), grantInThePast],
      ["invitations", "/admin/invitations"],
      [
        "an invitation without an address",
        "/admin/invitations",
        (page) => waitForLoad(page, () => press("Send invitations")(page)),
      ],
      [
        "the system, with a job to discard",
        "/admin/system",
        (page) => page.getByText("Discard", { exact: true }).first().click(),
      ],
      ["what is set up", "/admin/setup"],
      ["a test email", "/admin/setup", (page) => waitForLoad(page, () => press(`Send a test email to ${email}`)(page))],
    ]),
  ];
}

const grantInThePast: Screen["prepare"] = async (page) => {
  await page.getByLabel("Until").fill("2020-01-01");
  await waitForLoad(page, () => press("Grant Premium")(page));
};
