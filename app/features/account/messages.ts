import { formatNumber } from "#app/services/base/format.ts";

import { minPasswordLength, maxPasswordLength } from "./rules.ts";

/** The specification's texts (document 1, sections 5 and 8) and, where it has none, ours. */
export const messages = {
  signedIn: "Login successful!",
  checkEmail: "Check your email for the confirmation link!",
  resent: "Verification email sent!",
  wrongPassword:
    "Invalid email or password. If you just signed up, open the link in our mail first; signing up again sends a new one.",
  signInFailed: { title: "Couldn't sign in. Please try again." },
  emailRequired: "Enter your email address.",
  emailInvalid: "This is not an email address we can send to. It should look like name@example.com.",
  passwordRequired: "Enter your password.",
  passwordTooShort: `Password must be at least ${minPasswordLength} characters long.`,
  passwordTooLong: `Password must be at most ${maxPasswordLength} characters long.`,
  passwordIsEmail: "Choose a password that is not your email address.",
  passwordsDiffer: "Passwords do not match.",
  confirmed: { title: "Email confirmed", text: "Welcome. This is your profile: make it yours." },
  confirmedBefore: { title: "Your email is already confirmed", text: "Please log in." },
  confirmedOwn: { title: "Email confirmed", text: "Nothing is limited any more." },
  confirmedOther: { title: "Email confirmed", text: "You are still signed in with your other account." },
  confirmLeaving: "Are you sure you want to leave?",
  sadToSeeYouGo: "We're sad to see you go!",
  typeDelete: "Please type DELETE to confirm.",
  feedbackTooLong: "At most 2,000 characters, please.",
  deleted: { title: "Your account was deleted", text: "With your profile, your cards and your files." },
  mayBeDeleted: "Your account may or may not have been deleted. Reload the page and check.",
  notDeleted: "Your account could not be deleted. Everything is as it was: try again in a moment.",
  unconfirmed: { title: "Your email is not confirmed", text: "Some features may be limited until it is verified." },
  signInFirst: {
    title: "Log in first, then open the link again",
    text: "This link confirms the address of an account, in a browser that is signed in to it.",
  },
  linkExpiredSignedIn: { title: "That link is over", text: "You are signed in, so there is nothing to do." },
  expiredLink: {
    title: "This confirmation link has expired",
    text: "Links hold for 24 hours. We send a new one to the same address.",
  },
  brokenLink: {
    title: "This confirmation link is not complete",
    text: "Open it again from the mail, all of it. Or sign up once more, and a new one comes.",
  },
  signUpExpired: {
    title: "There is nothing left to confirm",
    text: "This sign-up is done or too old. Log in, or sign up again.",
  },
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
    text: "It holds for one hour and works once. Ask for a new one.",
  },
  resetStillValid: "Your link stays good: try again later.",
  diskFull: { title: "The server has no room left to write", text: "What you typed is still here: try again later." },
  outcomeUnknown: {
    title: "That may or may not have worked",
    text: "The connection to the database was lost. What you typed is still here: try again in a moment.",
  },
  offline: {
    title: "Couldn't reach the server",
    text: "Check your connection and try again. What you typed is still here.",
  },
  serverError: {
    title: "Something went wrong on the server",
    text: "What you typed is still here: try again in a moment.",
  },
  noMail: {
    title: "Mail is not configured on this server",
    text: "Without it nobody can sign up or set a new password here. Whoever runs it sets SMTP_URL.",
  },
} as const;

/** `count`: the size of the list that contains the password. */
export function commonPasswordMessage(count: number): string {
  return `This is one of the ${formatNumber(count)} most common passwords. Choose one that is harder to guess.`;
}

/** `when` is "in 12 minutes". */
export function tooManySignInsMessage(when: string) {
  return { title: "Too many tries", text: `Try again ${when}, or set a new password through "Forgot your password?".` };
}

export function tooManyCallbacksMessage(when: string) {
  return { title: "Too many tries", text: `Try again ${when}.` };
}

export function tooManyMailsMessage(when: string) {
  return { title: "That was asked for too often", text: `We send no more mails for now. Try again ${when}.` };
}
