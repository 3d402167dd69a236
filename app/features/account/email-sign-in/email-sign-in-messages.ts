/** The texts of signing in with an emailed link or code. */
export const emailSignInMessages = {
  codeRequired: "Enter the 6-digit code from the email.",
  wrongCode: "That code isn't right, or it was used already. Check the newest email.",
  tooManyCodes: { title: "Too many wrong codes", text: "Send a new email, and use the code in it." },
  expired: {
    title: "Your sign-in email has expired",
    text: "It was valid for 10 minutes. You can send a new one from the Login page.",
  },
  sent: "Email sent!",
  linkExpired: {
    title: "This sign-in link no longer works",
    text: "Links are valid for 10 minutes and work once. Send yourself a new one from the Login page.",
  },
} as const;
