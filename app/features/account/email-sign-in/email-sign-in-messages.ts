/** The texts of signing in with an emailed link or code. */
export const emailSignInMessages = {
  codeRequired: "Enter the 6-digit code from the email.",
  wrongCode: "That code isn’t right, or it was used already. Check the latest email.",
  tooManyCodes: { title: "Too many wrong codes", text: "Resend the email and use the new code." },
  expired: {
    title: "Your code has expired",
    text: "It was valid for 10 minutes. Request a new one on the sign-in page.",
  },
  sent: "Email sent!",
  linkExpired: {
    title: "This sign-in link no longer works",
    text: "Links are valid for 10 minutes and work once. Request a new one on the sign-in page.",
  },
} as const;
