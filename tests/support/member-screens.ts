import type { Page } from "playwright-core";

import type { Screen } from "./screens.ts";

/** What concerns the account of whoever is signed in. */
export function memberScreens(): Screen[] {
  return [
    { name: "the account", as: "full", path: "/account" },
    { name: "a subscription checked", as: "fresh", path: "/account", lead: refresh },
    { name: "deleting the account", as: "fresh", path: "/account/delete" },
    { name: "why the account is deleted", as: "fresh", path: "/account/delete", lead: leave(1) },
    { name: "the last word before the account is deleted", as: "fresh", path: "/account/delete", lead: leave(2) },
    { name: "the account on Premium", as: "premium", path: "/account" },
    { name: "the account of an address that is not confirmed", as: "unconfirmed", path: "/account" },
    { name: "deleting an account on Premium", as: "premium", path: "/account/delete" },
    { name: "a payment that did not arrive", as: "fresh", path: "/success" },
    { name: "a payment that arrived", as: "premium", path: "/success" },
    { name: "the plans on Premium", as: "premium", path: "/pricing" },
    { name: "a toast of a member", as: "fresh", path: "/account", isAlone: true, lead: openWhatIsNotThere },
  ];
}

async function refresh(page: Page) {
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Checked just now.").waitFor();
}

/** It leads to the profile, with a word why. */
async function openWhatIsNotThere(page: Page) {
  await page.goto("/share/card/none", { waitUntil: "commit" });
  await holdToast(page);
}

/** It stays for as long as the focus is in it. */
export async function holdToast(page: Page) {
  await page.locator("dialog.ui-toast").getByRole("button", { name: "Dismiss" }).focus();
}

/** So many of the steps that lead to the deletion of an account; the last button is left alone. */
function leave(steps: number) {
  return async (page: Page) => {
    for (const [index, name] of ["Continue", "Submit & Continue"].slice(0, steps).entries()) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByText(`Step ${index + 2} of 3`).waitFor();
    }
  };
}
