import type { Page } from "playwright-core";

import { waitForLoad } from "#tests/support/browser/site.ts";

import { fillIn, screensOf } from "./visit.ts";
import type { Screen } from "./visit.ts";

/** Documentation and the contact form. */
export function contentScreens(): Screen[] {
  const question = fillIn({ Email: "ada@example.com", Message: "Is there a plan for a school?" }, "Send message");
  const send = (page: Page) => waitForLoad(page, () => question(page));
  const refuse = fillIn({ Email: "ada@example", Message: "Short" }, "Send message");
  const sendUntilAccepted = async (page: Page) => {
    // At first it is too quick for a person. After ten messages from one network the page asks to wait.
    do await send(page);
    while ((await page.getByText(/on its way|Too many messages/).count()) === 0);
  };
  return [
    ...screensOf("visitor", [
      ["the documentation", "/docs"],
      ["the contents of the documentation", "/docs", openContents],
      ["an operation of the API reference", "/docs/api", (page) => page.locator("summary").last().click()],
      ["the contact page", "/contact"],
      ["a refused message", "/contact", (page) => waitForLoad(page, () => refuse(page))],
      ["a message sent too quickly", "/contact", send],
      ["a message on its way", "/contact", sendUntilAccepted],
    ]),
    ...screensOf("full", [["the contact page of a member", "/contact"]]),
  ];
}

async function openContents(page: Page) {
  // On a wide screen it is beside the text.
  const contents = page.getByText("On this page").first();
  if (await contents.isVisible()) await contents.click();
}

/** Interactive states of the landing page. */
export function landingScreens(): Screen[] {
  const choosePersona = (name: string) => (page: Page) => page.getByRole("radio", { name, exact: true }).check();
  const openSteps = async (page: Page) => {
    for (const summary of await page.locator("#how-it-works summary").all()) await summary.click();
  };
  return screensOf("visitor", [
    ["the landing page for recruiters", "/", choosePersona("Recruiters")],
    ["the landing page for sales teams", "/", choosePersona("Sales Teams")],
    ["the fields of the live demo", "/", (page) => page.getByText("Customize Pass").click()],
    ["the steps of the landing page, opened", "/", openSteps],
    ["an answered question", "/", (page) => page.locator("#faq summary").nth(1).click()],
  ]);
}
