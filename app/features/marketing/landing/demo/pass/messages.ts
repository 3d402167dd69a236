import { maxLengths } from "#app/features/cards/card-fields.ts";

/** The texts of the page that a demo pass with bad input leads to. */
export const messages = {
  title: "Demo pass",
  invalid: "Your pass isn’t ready yet. Correct what is marked and try again.",
  tooMany: (when: string) => `There were too many demo passes from your network. Try again ${when}.`,
  busy: "Too many passes are being made right now. Try again in a moment.",
  noName: "Enter a name.",
  tooLong: `Use at most ${maxLengths.company} characters.`,
  tooLongName: `Use at most ${maxLengths.displayName} characters.`,
  otherSite:
    "The code of a demo pass can only open a profile or card on this site. Enter a path such as /u/your-handle, or leave this empty.",
} as const;
