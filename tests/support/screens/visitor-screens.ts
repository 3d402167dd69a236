import type { Page } from "playwright-core";

import type { ScreenAccounts } from "./accounts.ts";
import { both, press, screensOf } from "./visit.ts";
import type { Screen } from "./visit.ts";

/** What visitors see after following a link or scanning a code. */
export function visitorScreens({ people }: ScreenAccounts): Screen[] {
  const [profile, card] = ["/u/demo-user", "/card/demo-card"];
  const long = `/u/${people.full.id}`;
  return [
    ...screensOf("visitor", [
      ["the sample profile", profile],
      ["the sample profile, Personal", profile, (page) => page.getByRole("radio", { name: "Personal" }).check()],
      ["the code of the sample profile", profile, press("QR Code")],
      ["the sample card", card],
      ["the code of the sample card", card, press("QR Code")],
      ["the ways to share the sample card", card, press("Share")],
      ["the first card of the sample", "/u/demo-user/card"],
      ["a short address that no card has", "/c/none"],
      ["a profile as full as it gets", long],
      ["the ways to share a long address", long, press("Share")],
      ["a card as full as it gets", `/card/${people.full.card}`],
      ["a profile from right to left", `/u/${people.rtl.id}`],
      ["a card from right to left", `/card/${people.rtl.card}`],
      ["a card in a custom color", `/card/${people.premium.card}`],
      ["an empty profile", `/u/${people.fresh.id}`],
      ["a resume that is not there", "/u/demo-user/resume"],
      ["a file that is not there", "/files/nothing"],
      ["a resume's link without its signature", "/files/resumes/ada/resume.pdf"],
      ["a page that is not there", "/no/such/page"],
      ["a missing profile", "/u/nobody"],
      ["a card that is not there", "/card/none"],
      ["a card that is not there, for Google Wallet", "/c/none/google-wallet"],
      ["a card on a site without Google Wallet", "/card/demo-card/google-wallet"],
    ]),
    ...screensOf("visitor", [["a crash", `/card/${people.unlucky.card}`]], { isCrash: true }),
  ];
}

/** Where visitors share their contact, and the pages behind the links in mails: all without an account and without script. */
export function sharedContactScreens({ people: { premium }, mailed }: ScreenAccounts): Screen[] {
  const form = `/card/${premium.card}/connect`;
  const send = "Share your details";
  const outdateForm = changeHidden("input[name=formToken]", "");
  // As if the owner had changed the text after the form was opened.
  const changeConsent = changeHidden("input[name=consent-answer]", "0".repeat(64));
  return screensOf("visitor", [
    ["sharing a contact", form],
    ["a contact that was refused", form, press(send, "Enter your name.")],
    ["a consent whose text has changed", form, both(enter, changeConsent, press(send, "This text has changed"))],
    ["a form that is too old", form, both(enter, outdateForm, press(send), waitForAlert)],
    ["a contact that was shared", form, both(enter, press(send, "has your details"))],
    ["the form of a card that is not there", "/c/none/connect"],
    ["shared details", mailed.shared],
    ["shared details after withdrawing", mailed.withdrawn],
    ["shared details that were erased", mailed.erased],
    ["an incomplete link to shared details", "/shared/none"],
    ["the link in a mail about a lead", mailed.notices],
    ["mails about leads that were turned off", mailed.noticesOff],
    ["an address to confirm for leads", mailed.forwardToConfirm],
    ["an address that gets leads", mailed.forwardConfirmed],
    ["an address that gets no leads", mailed.forwardRemoved],
    ["an incomplete link about leads", "/lead-mails/none"],
    ["the link in a weekly mail", mailed.weeklyMail],
    ["weekly mails that were turned off", mailed.weeklyMailOff],
    ["an incomplete link about weekly mails", "/weekly-mail/none"],
  ]);
}

const waitForAlert = (page: Page) => page.getByRole("alert").waitFor();

function changeHidden(selector: string, value: string) {
  return (page: Page) =>
    page.locator(selector).evaluate((input: HTMLInputElement, value) => void (input.value = value), value);
}

async function enter(page: Page) {
  await page.getByLabel("Name", { exact: true }).fill("Grace Hopper");
  await page.getByLabel("Email", { exact: true }).fill(`${crypto.randomUUID()}@example.com`);
  await page.locator("input[name=consent-answer]").check();
}
