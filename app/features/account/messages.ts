import { minPasswordLength, maxPasswordLength } from "./rules.ts";

/** The specification's texts (document 1, sections 5 and 8) and, where it has none, ours. */
export const messages = {
  signedIn: "Login successful!",
  signedOut: "You’re signed out.",
  signedOutElsewhere: { title: "You’re signed out.", text: "You signed out in another tab." },
  checkEmail: "Check your email for the confirmation link!",
  resent: "Verification email sent!",
  wrongPassword:
    "Invalid email or password. If you just signed up, open the link in our email first. To get a new one, sign up again.",
  accountBlocked: { title: "This account is blocked", text: "If you think this is a mistake, contact us." },
  signInFailed: { title: "Couldn’t sign you in. Please try again." },
  emailRequired: "Enter your email address.",
  emailInvalid: "Enter a valid email address, such as name@example.com.",
  passwordRequired: "Enter your password.",
  passwordTooShort: `Password must be at least ${minPasswordLength} characters long.`,
  passwordTooLong: `Password must be at most ${maxPasswordLength} characters long.`,
  passwordIsEmail: "Your password can’t be your email address.",
  passwordTooEasy: "This password is too easy to guess. Try a few random words.",
  passwordsDiffer: "Passwords do not match.",
  draftCard: "Your card is saved. You’ll find it here after you sign up.",
  draftCardWaits: "Your card is saved and will be there when you sign in.",
  confirmed: { title: "Email confirmed", text: "Welcome to Meishi." },
  confirmedBefore: { title: "Your email is already confirmed", text: "Please sign in." },
  confirmedOnly: { title: "Email confirmed", text: "Please sign in." },
  confirmedOwn: { title: "Email confirmed", text: "All features are available again." },
  confirmedOther: { title: "Email confirmed", text: "You’re still signed in to your other account." },
  confirmLeaving: "Are you sure you want to leave?",
  sadToSeeYouGo: "We're sad to see you go!",
  typeDelete: "Please type DELETE to confirm.",
  feedbackTooLong: "Use at most 2,000 characters.",
  confirmIdentityFirst: {
    title: "First confirm it’s you",
    text: "Do that in a new tab. Then come back here and delete your account.",
  },
  deleted: { title: "Your account was deleted", text: "Your profile, cards, leads and files were deleted too." },
  mayBeDeleted: "Your account may have been deleted. Reload the page to check.",
  notDeleted: "Your account couldn’t be deleted. Nothing was changed. Try again in a moment.",
  unconfirmed: { title: "Your email isn’t confirmed", text: "Some features may be limited until it is verified." },
  signInFirst: {
    title: "Sign in first, then open the link again",
    text: "The link only works in a browser where you’re signed in to the account.",
  },
  linkExpiredSignedIn: { title: "This link no longer works", text: "You’re already signed in, so you don’t need it." },
  expiredLink: {
    title: "This confirmation link has expired",
    text: "Links are valid for 24 hours. We can send a new one to the same address.",
  },
  brokenLink: {
    title: "This confirmation link is incomplete",
    text: "Open it from the email again, or sign up again to get a new one.",
  },
  signUpExpired: {
    title: "Nothing to confirm",
    text: "Your email is already confirmed, or this sign-up has expired. Sign in or sign up again.",
  },
  invitationGone: {
    title: "This invitation no longer works",
    text: "It was used, withdrawn or has expired. If you have an account, sign in. Otherwise, ask for a new invitation.",
  },
  invitationHasAccount: { title: "This address has an account", text: "Sign in with it." },
  signUpRefused: {
    invite: "To create an account, open the link of an invitation. The people who run this site send them.",
    closed: "No new accounts can be created. If you have one, sign in.",
  },
  otherInvitation: (email: string) => `Your invitation is for ${email}. Sign up with that address.`,
  resetSent: {
    title: "If an account exists for this email, a reset link was sent.",
    text: "Please check your inbox.",
  },
  resetFailed: "Failed to send reset link.",
  canSetPassword: "You can now set a new password.",
  passwordUpdated: "Password updated successfully! Please log in.",
  passwordNotUpdated: "Failed to update password.",
  resetExpired: {
    title: "This reset link is no longer valid",
    text: "Reset links are valid for one hour and work once. Request a new one.",
  },
  resetStillValid: "Your link still works. Try again later.",
  diskFull: { title: "The server is out of disk space", text: "What you typed is still here. Try again later." },
  outcomeUnknown: {
    title: "This may not have worked",
    text: "The server lost its database connection. What you typed is still here. Try again in a moment.",
  },
  offline: {
    title: "Couldn’t reach the server",
    text: "Check your connection and try again. What you typed is still here.",
  },
  serverError: {
    title: "Something went wrong on our end",
    text: "What you typed is still here. Try again in a moment.",
  },
  noMail: {
    title: "Email isn’t set up on this server",
    text: "Until its operator sets SMTP_URL, no one can sign up or reset a password.",
  },
} as const;

/** `when` is "in 12 minutes". */
export function tooManySignInsMessage(when: string) {
  return { title: "Too many attempts", text: `Try again ${when}, or reset your password.` };
}

export function tooManyCallbacksMessage(when: string) {
  return { title: "Too many attempts", text: `Try again ${when}.` };
}

export function tooManyMailsMessage(when: string) {
  return { title: "Too many requests", text: `We won’t send more emails for now. Try again ${when}.` };
}
