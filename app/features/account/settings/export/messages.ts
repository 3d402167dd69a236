/** Texts of the page that exports an account's data. */
export const exportMessages = {
  failed: {
    title: "Your data couldn’t be prepared",
    text: "Something went wrong on our end. Nothing was lost, and this attempt doesn’t count.",
  },
  expired: { title: "The download has expired", text: "Downloads are deleted after 24 hours. Prepare a new one." },
  offline: { title: "Not started: no connection", text: "Check your connection, then try again." },
  "signed-out": { title: "Not started: you’re signed out", text: "Sign in again, then come back." },
  unavailable: { title: "Something went wrong on our end", text: "Try again in a moment." },
} as const;

/** `when` is "in 3 hours". */
export function tooManyExportsMessage(when: string) {
  return { title: "You’ve exported your data three times today", text: `You can prepare it again ${when}.` };
}
