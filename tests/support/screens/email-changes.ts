import type { BrowserContext } from "playwright-core";

import { waitForMailLink } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";

type Change = { url: string; from: string; to: string };

/** Asks for a new email, for the account that is signed in. Returns the path of the link in the mail to the new address. */
export async function requestEmailChange(context: BrowserContext, { url, to }: Omit<Change, "from">): Promise<string> {
  const form = { intent: "change-email", email: to, current: seededPassword };
  await context.request.post("/account", { form, headers: { origin: url } });
  return (await waitForMailLink(context, { url, to })).slice(url.length);
}

/** Changes the email of the account that is signed in. Returns the path of the link that undoes it. */
export async function changeEmail(context: BrowserContext, { url, from, to }: Change): Promise<string> {
  const path = await requestEmailChange(context, { url, to });
  await context.request.post(path, { form: {}, headers: { origin: url } });
  return (await waitForMailLink(context, { url, to: from })).slice(url.length);
}
