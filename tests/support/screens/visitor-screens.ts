import type { Page } from "playwright-core";

import type { ScreenAccounts } from "./accounts.ts";
import type { Screen } from "./visit.ts";

/** What visitors see after following a link or scanning a code. */
export function visitorScreens({ people }: ScreenAccounts): Screen[] {
  const long = people.full.id;
  return [
    { name: "the sample profile", as: "visitor", path: "/u/demo-user" },
    {
      name: "the sample profile, Personal",
      as: "visitor",
      path: "/u/demo-user",
      prepare: (page) => page.getByRole("radio", { name: "Personal" }).check(),
    },
    { name: "the code of the sample profile", as: "visitor", path: "/u/demo-user", prepare: pressButton("QR Code") },
    {
      name: "the ways to share the sample profile",
      as: "visitor",
      path: "/u/demo-user",
      prepare: pressButton("Share"),
    },
    { name: "the sample card", as: "visitor", path: "/card/demo-card" },
    { name: "the code of the sample card", as: "visitor", path: "/card/demo-card", prepare: pressButton("QR Code") },
    {
      name: "the ways to share the sample card",
      as: "visitor",
      path: "/card/demo-card",
      prepare: pressButton("Share"),
    },
    { name: "the first card of the sample", as: "visitor", path: "/u/demo-user/card" },
    { name: "a short address that no card has", as: "visitor", path: "/c/none" },
    { name: "a profile as full as it gets", as: "visitor", path: `/u/${long}` },
    { name: "the ways to share a long address", as: "visitor", path: `/u/${long}`, prepare: pressButton("Share") },
    { name: "a card as full as it gets", as: "visitor", path: `/card/${people.full.card}` },
    { name: "a profile from right to left", as: "visitor", path: `/u/${people.rtl.id}` },
    { name: "a card from right to left", as: "visitor", path: `/card/${people.rtl.card}` },
    { name: "a card in a custom color", as: "visitor", path: `/card/${people.premium.card}` },
    { name: "an empty profile", as: "visitor", path: `/u/${people.fresh.id}` },
    { name: "a resume that is not there", as: "visitor", path: "/u/demo-user/resume" },
    { name: "a file that is not there", as: "visitor", path: "/files/nothing" },
    { name: "a resume's link without its signature", as: "visitor", path: "/files/resumes/ada/resume.pdf" },
    { name: "a page that is not there", as: "visitor", path: "/no/such/page" },
    { name: "a missing profile", as: "visitor", path: "/u/nobody" },
    { name: "a card that is not there", as: "visitor", path: "/card/none" },
    { name: "a card that is not there, for Google Wallet", as: "visitor", path: "/c/none/google-wallet" },
    { name: "a card on a site without Google Wallet", as: "visitor", path: "/card/demo-card/google-wallet" },
    { name: "a crash", as: "visitor", path: `/card/${people.unlucky.card}`, isCrash: true },
  ];
}

/** Where visitors share their contact, and the pages behind the links in mails: all without an account and without script. */
export function sharedContactScreens({ people: { premium }, mailed }: ScreenAccounts): Screen[] {
  const form = `/card/${premium.card}/connect`;
  const asVisitor = (name: string, path: string, prepare?: Screen["prepare"]): Screen => ({
    name,
    as: "visitor",
    path,
    ...(prepare && { prepare }),
  });
  return [
    asVisitor("sharing a contact", form),
    asVisitor("a contact that was refused", form, refuseContact),
    asVisitor("a consent whose text has changed", form, changeConsent),
    asVisitor("a form that is too old", form, outdateForm),
    asVisitor("a contact that was shared", form, shareContact),
    asVisitor("the form of a card that is not there", "/c/none/connect"),
    asVisitor("shared details", mailed.shared),
    asVisitor("shared details after withdrawing", mailed.withdrawn),
    asVisitor("shared details that were erased", mailed.erased),
    asVisitor("an incomplete link to shared details", "/shared/none"),
    asVisitor("the link in a mail about a lead", mailed.notices),
    asVisitor("mails about leads that were turned off", mailed.noticesOff),
    asVisitor("an address to confirm for leads", mailed.forwardToConfirm),
    asVisitor("an address that gets leads", mailed.forwardConfirmed),
    asVisitor("an address that gets no leads", mailed.forwardRemoved),
    asVisitor("an incomplete link about leads", "/lead-mails/none"),
    asVisitor("the link in a weekly mail", mailed.weeklyMail),
    asVisitor("weekly mails that were turned off", mailed.weeklyMailOff),
    asVisitor("an incomplete link about weekly mails", "/weekly-mail/none"),
  ];
}

async function refuseContact(page: Page) {
  await send(page);
  await page.getByText("Enter your name.").waitFor();
}

/** As if the owner had changed the text after the form was opened. */
async function changeConsent(page: Page) {
  await fillIn(page);
  await page.locator("input[name=consent-answer]").evaluate((box: HTMLInputElement) => (box.value = "0".repeat(64)));
  await send(page);
  await page.getByText("This text has changed").waitFor();
}

async function outdateForm(page: Page) {
  await fillIn(page);
  await page.locator("input[name=stamp]").evaluate((stamp: HTMLInputElement) => (stamp.value = ""));
  await send(page);
  await page.getByRole("alert").waitFor();
}

async function shareContact(page: Page) {
  await fillIn(page);
  await send(page);
  await page.getByText("Thanks, your contact is shared").waitFor();
}

async function fillIn(page: Page) {
  await page.getByLabel("Name", { exact: true }).fill("Grace Hopper");
  await page.getByLabel("Email", { exact: true }).fill(`${crypto.randomUUID()}@example.com`);
  await page.locator("input[name=consent-answer]").check();
}

async function send(page: Page) {
  await page.getByRole("button", { name: "Share your contact" }).click();
}

function pressButton(name: string) {
  return (page: Page) => page.getByRole("button", { name, exact: true }).click();
}
