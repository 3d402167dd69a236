import type { ReadingFailure } from "./reading/reader-client.ts";

/** What owners read when they add someone who gave their details in person. */
export const inPersonMessages = {
  agreed: "This person gave me their card or details and agreed to be contacted",
  proof: "What is stored as proof:",
  mail: "If you enter their email address, they get your card by email, with a link to withdraw or erase their details.",
  agreedRequired: "Check this box if they agreed. Without their consent their details can’t be stored.",
  textChanged: "This text has changed. Read it, and check the box again if it is true.",
  nameRequired: "Enter a name or a company.",
  noContact: "Enter an email address or a phone number, so that you can contact them.",
  cardRequired: "Choose one of your cards.",
  tooOld: "This page couldn’t be checked. What you typed is still here. Save again.",
  tooMany: (when: string) =>
    `You added too many leads in the last hour. What you typed is still here. Try again ${when}.`,
  offline: "You are offline. What you typed is still here. Save again once you are connected.",
  signedOut: "You are signed out. What you typed is still here. Sign in in another tab, then save again.",
  tooLarge: "This is more than the form accepts. Shorten the note and save again.",
  erased: "This person’s details were erased, so they were not saved again.",
} as const;

/** When it couldn't be saved. */
export const inPersonFailures = {
  diskFull: "The server is out of disk space. What you typed is still here. Try again later.",
  outcomeUnknown: "It may or may not have been saved. Save again: it will be stored only once.",
  unexpected: "Something went wrong on our end. What you typed is still here. Save again in a moment.",
};

/** Why an image wasn't read, and what to do. */
export const scanFailures: Record<ReadingFailure, { title: string; text: string }> = {
  "not-an-image": { title: "This isn’t a picture", text: "Choose a photo of the card, such as a JPEG or PNG file." },
  heic: {
    title: "This browser can’t open HEIC pictures",
    text: "Take the picture here instead, or set your camera to “Most compatible” (JPEG).",
  },
  "no-text": {
    title: "No text was found",
    text: "Take the picture again: the whole card, from above, in good light and in focus.",
  },
  "no-webassembly": {
    title: "This browser can’t read pictures",
    text: "It doesn’t allow WebAssembly. Type the details, or open this page in another browser.",
  },
  "out-of-memory": {
    title: "There isn’t enough memory",
    text: "Close other tabs or apps and try again, or type the details.",
  },
  offline: {
    title: "The reader couldn’t be loaded",
    text: "Check your connection and try again. It is loaded once, then reading works without one.",
  },
  failed: { title: "The picture couldn’t be read", text: "Try again, or type the details." },
};

export const scanMessages = {
  private: "Pictures are read on this device. They are never sent or stored.",
  needsScript: "Reading a card needs JavaScript. You can type the details instead.",
  accents: "Check accents such as ü, ç or ł: the reader may miss them.",
  check: "Check this:",
  unsure: (confidence: number) => `the reader is only ${Math.round(confidence)}% sure.`,
} as const;
