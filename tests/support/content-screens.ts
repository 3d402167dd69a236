import type { Page } from "playwright-core";

import { loadBy } from "./browser.ts";
import type { Screen } from "./screens.ts";

/** Documentation, security, privacy, terms, and the way to write to whoever runs the site. */
export function contentScreens(): Screen[] {
  return [
    { name: "the documentation", as: "visitor", path: "/docs" },
    { name: "the contents of the documentation", as: "visitor", path: "/docs", lead: openContents },
    { name: "security", as: "visitor", path: "/security-overview" },
    { name: "privacy", as: "visitor", path: "/privacy" },
    { name: "terms", as: "visitor", path: "/terms" },
    { name: "the contact page", as: "visitor", path: "/contact" },
    { name: "the contact page of a member", as: "full", path: "/contact" },
    { name: "a refused message", as: "visitor", path: "/contact", lead: (page) => write(page, "ada@example", "Short") },
    { name: "a message sent too quickly", as: "visitor", path: "/contact", lead: (page) => write(page) },
    { name: "a message on its way", as: "visitor", path: "/contact", lead: writeSlowly },
  ];
}

async function openContents(page: Page) {
  // On a wide screen it stands beside the text.
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
  await loadBy(page, () => page.getByRole("button", { name: "Send message" }).click());
}

/** As a person does, who takes more than two seconds. */
async function writeSlowly(page: Page) {
  await page.waitForTimeout(2_100);
  await write(page);
  // The walk goes over this page often, from one network: after ten messages it is told to wait.
  await page.getByText(/on its way|Too many messages/).waitFor();
}
