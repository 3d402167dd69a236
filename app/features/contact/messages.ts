import { formatNumber } from "#app/services/base/format.ts";

import { maxMessageLength, maxNameLength, minMessageLength } from "./rules.ts";

export const messages = {
  nameTooLong: `Use at most ${maxNameLength} characters for the name.`,
  emailRequired: "Enter your email address, so that an answer can reach you.",
  emailInvalid: "This is not an email address that an answer can be sent to. It should look like name@example.com.",
  messageRequired: "Write what it is about.",
  messageTooShort: `Write a little more: at least ${minMessageLength} characters.`,
  tooNew: {
    title: "That was very quick",
    text: "Programs that fill in forms are as quick. Press Send message once more, and it goes.",
  },
  tooOld: {
    title: "This page was open for a long time",
    text: "What you typed is still here. Press Send message once more, and it goes.",
  },
  unreachable: {
    title: "Nobody gets what would be written here",
    text: "Whoever runs this site has not set up where messages go, or how, so there is no form.",
  },
  noRoom: { title: "The server has no room left to write", text: "What you typed is still here: try again later." },
  outcomeUnknown: {
    title: "Your message may or may not have been sent",
    text: "What you typed is still here. Press Send message once more: it arrives only once.",
  },
  broken: {
    title: "Something went wrong on the server",
    text: "What you typed is still here: try again in a moment.",
  },
} as const;

/** `length` in Unicode code points. */
export function messageTooLong(length: number): string {
  return `Use at most ${formatNumber(maxMessageLength)} characters. Now there are ${formatNumber(length)}.`;
}

/** `when`: "in 12 minutes". */
export function tooManyMessages(when: string) {
  return { title: "Too many messages for now", text: `What you typed is still here. Try again ${when}.` };
}
