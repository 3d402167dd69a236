import { formatNumber } from "#app/services/base/format.ts";

import { maxMessageLength, maxNameLength, minMessageLength } from "./rules.ts";

export const messages = {
  nameTooLong: `Use at most ${maxNameLength} characters.`,
  emailRequired: "Enter your email address so we can reply.",
  emailInvalid: "Enter a valid email address, such as name@example.com.",
  messageRequired: "Enter a message.",
  messageTooShort: `Use at least ${minMessageLength} characters.`,
  tooNew: {
    title: "That was fast",
    text: "Messages sent this quickly usually come from bots. Press Send message again to send it.",
  },
  tooOld: {
    title: "This page was open for a long time",
    text: "Your message is still here. Press Send message again to send it.",
  },
  unreachable: {
    title: "The contact form isn’t set up",
    text: "This site’s operator hasn’t set an address for messages yet.",
  },
} as const;

/** When the message couldn't be stored. */
export const failures = {
  diskFull: { title: "The server is out of disk space", text: "Your message is still here. Try again later." },
  outcomeUnknown: {
    title: "Your message may or may not have been sent",
    text: "Your message is still here. Press Send message again: it will arrive only once.",
  },
  unexpected: {
    title: "Something went wrong on our end",
    text: "Your message is still here. Try again in a moment.",
  },
};

/** `length` in Unicode code points. */
export function messageTooLong(length: number): string {
  return `Use at most ${formatNumber(maxMessageLength)} characters. You’ve used ${formatNumber(length)}.`;
}

/** `when`: "in 12 minutes". */
export function tooManyMessages(when: string) {
  return { title: "Too many messages", text: `Your message is still here. Try again ${when}.` };
}
