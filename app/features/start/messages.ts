import type { WriteFailure } from "#app/services/http/save-response.server.ts";

/** The texts of the three steps after the first confirmation. */
export const messages = {
  hasCard: { title: "You already have a card", text: "The sample wasn’t saved. Edit your own card here." },
  avatarFailed: "Your name is saved, but the avatar isn’t. Try again.",
  tooManyAvatars: "Your name is saved, but the avatar isn’t. Try again in ten minutes.",
  offline: "Couldn’t save. Check your connection and try again.",
  "signed-out": "You’re signed out. Sign in again in another tab, then try again here.",
  tooManyNew: (when: string) => `Couldn’t save. You’ve created too many cards in a short time. Try again ${when}.`,
  busy: "Couldn’t save. You changed this in another tab. Try again.",
} as const;

export const failureMessages: WriteFailure<string> = {
  event: "start of an account not saved",
  diskFull: "Couldn’t save. The server is out of disk space. Try again later.",
  outcomeUnknown: "This may not have been saved. Try again.",
  unexpected: "Couldn’t save. Something went wrong on our end. Try again.",
};
