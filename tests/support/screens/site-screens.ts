import type { Page } from "playwright-core";

import { waitForLoad } from "#tests/support/browser/site.ts";

import type { Screen } from "./visit.ts";

/** Documentation and the contact form. */
export function contentScreens(): Screen[] {
  return [
    { name: "the documentation", as: "visitor", path: "/docs" },
    { name: "the contents of the documentation", as: "visitor", path: "/docs", prepare: openContents },
    { name: "the contact page", as: "visitor", path: "/contact" },
    { name: "the contact page of a member", as: "full", path: "/contact" },
    {
      name: "a refused message",
      as: "visitor",
      path: "/contact",
      prepare: (page) => write(page, "ada@example", "Short"),
    },
    { name: "a message sent too quickly", as: "visitor", path: "/contact", prepare: (page) => write(page) },
    { name: "a message on its way", as: "visitor", path: "/contact", prepare: writeSlowly },
  ];
}

async function openContents(page: Page) {
  // On a wide screen it is beside the text.
  const contents = page.getByText("On this page").first();
  if (await contents.isVisible()) await contents.click();
}

async function write(
  page: Page,
  email = `${crypto.randomUUID()}@example.com`,
  message = "Is there a plan for a school?",
) {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Message", { exact: true }).fill(message);
  await waitForLoad(page, () => page.getByRole("button", { name: "Send message" }).click());
}

/** Takes more than two seconds, like a person. */
async function writeSlowly(page: Page) {
  await page.waitForTimeout(2_100);
  await write(page);
  // After ten messages from one network the page asks to wait.
  await page.getByText(/on its way|Too many messages/).waitFor();
}

/** Interactive states of the landing page. */
export function landingScreens(): Screen[] {
  const onLanding = (name: string, lead: (page: Page) => Promise<unknown>): Screen => ({
    name,
    as: "visitor",
    path: "/",
    prepare: lead,
  });
  return [
    onLanding("the landing page for recruiters", (page) => choosePersona(page, "Recruiters")),
    onLanding("the landing page for sales teams", (page) => choosePersona(page, "Sales Teams")),
    onLanding("the fields of the live demo", (page) => page.getByText("Customize Pass").click()),
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
