import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import { fillIn, press, screensOf } from "#tests/support/screens/visit.ts";
import type { Screen } from "#tests/support/screens/visit.ts";

/** An owner's kiosk links, and the form on a device at a fair. */
export function kioskScreens({ people, kioskPath }: ScreenAccounts): Screen[] {
  const own = `/cards/${people.premium.card}/kiosk`;
  const create = "Create kiosk link";
  const createLink = async (page: Page) => {
    await press(create)(page);
    await page.getByLabel("Kiosk link", { exact: true }).waitFor();
  };
  const refuseLink = fillIn({ "Name of the device": "" }, create, "Enter a name for the device.");
  // Shown after two minutes in which no one used the form.
  const invite = async (page: Page) => {
    await page.locator("main").evaluate((main) => main.setAttribute("data-shows", "invite"));
    await page.getByRole("button", { name: "Touch to start" }).waitFor();
  };
  return [
    ...screensOf("premium", [
      ["kiosk links", own],
      ["handing a phone over", `/cards/${people.premium.card}/hand-over`],
      ["a new kiosk link", own, createLink],
      ["a kiosk link without a name, refused", own, refuseLink],
      ["a kiosk where someone is signed in", kioskPath],
    ]),
    ...screensOf("full", [["kiosk links of a card without the form", `/cards/${people.full.card}/kiosk`]]),
    ...screensOf("visitor", [
      ["a kiosk", kioskPath],
      ["a kiosk form, refused", kioskPath, press("Share your details", "Check this box")],
      ["the thanks of a kiosk", `${kioskPath}?sent`],
      ["the invitation of a kiosk", kioskPath, invite],
      ["a removed kiosk link", "/kiosk/removed"],
    ]),
  ];
}
