import type { Page } from "playwright-core";

import type { ScreenAccounts } from "#tests/support/screens/accounts.ts";
import type { Screen } from "#tests/support/screens/visit.ts";

/** An owner's kiosk links, and the form on a device at a fair. */
export function kioskScreens({ people, kioskPath }: ScreenAccounts): Screen[] {
  return [
    { name: "kiosk links", as: "premium", path: `/cards/${people.premium.card}/kiosk` },
    { name: "kiosk links of a card without the form", as: "full", path: `/cards/${people.full.card}/kiosk` },
    {
      name: "a new kiosk link",
      as: "premium",
      path: `/cards/${people.premium.card}/kiosk`,
      prepare: createKioskLink,
    },
    {
      name: "a kiosk link without a name, refused",
      as: "premium",
      path: `/cards/${people.premium.card}/kiosk`,
      prepare: refuseKioskLink,
    },
    { name: "a kiosk", as: "visitor", path: kioskPath },
    { name: "a kiosk where someone is signed in", as: "premium", path: kioskPath },
    { name: "a kiosk form, refused", as: "visitor", path: kioskPath, prepare: refuseKioskForm },
    { name: "the thanks of a kiosk", as: "visitor", path: `${kioskPath}?sent` },
    { name: "a removed kiosk link", as: "visitor", path: "/kiosk/removed" },
  ];
}

async function createKioskLink(page: Page) {
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByLabel("Kiosk link", { exact: true }).waitFor();
}

async function refuseKioskLink(page: Page) {
  await page.getByLabel("Name of the device").fill("");
  await page.getByRole("button", { name: "Create kiosk link" }).click();
  await page.getByText("Enter a name for the device.").waitFor();
}

async function refuseKioskForm(page: Page) {
  await page.getByRole("button", { name: "Share your contact" }).click();
  await page.getByText("Check this box").waitFor();
}
