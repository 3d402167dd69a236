import type { Page } from "playwright-core";

import type { Screen } from "./screens.ts";

/** What opens and answers on the landing page by itself. */
export function landingScreens(): Screen[] {
  const onLanding = (name: string, lead: (page: Page) => Promise<unknown>): Screen => ({
    name,
    as: "visitor",
    path: "/",
    lead,
  });
  return [
    onLanding("the landing page for recruiters", (page) => choosePersona(page, "Recruiters")),
    onLanding("the landing page for sales teams", (page) => choosePersona(page, "Sales Teams")),
    onLanding("the fields of the live demo", (page) => page.getByText("Customize Pass").click()),
    onLanding("the note about wallet passes", (page) =>
      page.getByRole("button", { name: "Add to Apple Wallet" }).click(),
    ),
    onLanding("the steps of the landing page, opened", openSteps),
    onLanding("an answered question", (page) => page.locator("#faq summary").nth(1).click()),
  ];
}

async function choosePersona(page: Page, name: string) {
  await page.getByRole("radio", { name, exact: true }).check();
}

async function openSteps(page: Page) {
  for (const summary of await page.locator("#how-it-works summary").all()) await summary.click();
}
