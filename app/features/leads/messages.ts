import type { DetailName, LeadFieldName } from "./rules.ts";

/** What visitors and owners read about leads. */
export const leadMessages = {
  share: "Share your details",
  /** `name`: of the card's owner. */
  sent: (name: string) => `Thanks. ${name} has your contact details.`,
  done: (name: string) => `Done. ${name} has your details.`,
  mailed: "We’ve emailed you a link to change your mind.",
  off: {
    title: "The form is off",
    text: "The owner of this card has just switched it off. Your details were not sent.",
  },
  required: {
    name: "Enter your name.",
    email: "Enter your email address.",
    phone: "Enter your phone number.",
    company: "Enter your company.",
    note: "Enter a note.",
  } satisfies Record<LeadFieldName, string>,
  labels: {
    name: "Name",
    email: "Email",
    phone: "Phone",
    company: "Company",
    title: "Title",
    website: "Website",
    note: "Note",
  } satisfies Record<LeadFieldName | DetailName, string>,
  tooLong: (max: number) => `Use at most ${max} characters.`,
  invalidEmail: "Enter a valid email address, such as name@example.com.",
  invalidPhone: "Enter a phone number with at least one digit.",
  invalidWebsite: "Enter a web address, such as example.com.",
  noContact: "Enter an email address or a phone number, so that you can get a reply.",
  emailForNews: "Enter your email address to get news.",
  answerRequired: "Answer this question.",
  consentRequired: "Check this box to share your details.",
  consentChanged: "This text has changed. Read it, and check the box again if you agree.",
  tooOld: "This page was open for a long time. Your details are still here. Press the button again to share them.",
  tooMany: (when: string) =>
    `Too many people are sharing their details right now. Yours are still here. Try again ${when}.`,
} as const;

/** When a visitor's details couldn't be stored. */
export const leadFailures = {
  diskFull: "The server is out of disk space. Your details are still here. Try again later.",
  outcomeUnknown: "Your details may or may not have been sent. Press the button again: they will arrive only once.",
  unexpected: "Something went wrong on our end. Your details are still here. Try again in a moment.",
};
