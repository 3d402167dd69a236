/** Texts about changing the email and the password of an account. */
export const settingsMessages = {
  sameEmail: "This is already your email address.",
  currentPasswordRequired: "Enter your current password.",
  wrongCurrentPassword: "This isn’t your current password.",
  confirmIdentityFirst: {
    title: "First confirm it’s you",
    text: "It opens in a new tab. Then come back here and try again.",
  },
  noPassword: {
    title: "Set a password first",
    text: "You need a password to change your email, and your account doesn’t have one.",
  },
  noMail: {
    title: "Email isn’t set up on this server",
    text: "A new address must be confirmed by email. The operator needs to set SMTP_URL first.",
  },
  checkNewEmail: "Check your new email for the confirmation link",
  changeCanceled: "Email change canceled",
  emailChanged: "Email changed",
  otherDevicesLoggedOut: "Your other browsers were signed out.",
  passwordChanged: "Password changed",
  signInFirst: {
    title: "Sign in to confirm your new email",
    text: "Use your current email. After you sign in, the link opens.",
  },
} as const;

/** Why a form of the account page didn't reach the server, or got no proper response. */
export const accountFailures = {
  offline: { title: "Not saved: no connection", text: "Check your connection, then try again." },
  "signed-out": {
    title: "Not saved: you’re signed out",
    text: "Sign in again in another tab, then come back and try again.",
  },
  failed: { title: "Something went wrong on our end", text: "Try again in a moment." },
  "too-large": { title: "Something went wrong on our end", text: "Try again with less text." },
} as const;

/** `removed`: how much was removed besides the password. */
export function restoredMessage(removed: number) {
  const also =
    removed === 0 ? "" : ` What was added since the day before the change was removed. The email we sent you lists it.`;
  return { title: "Your old email is back", text: `Every browser was signed out.${also} Now set a new password.` };
}

/** Why a link to restore an old email doesn't work. */
export const restoreProblems = {
  used: { title: "Nothing to undo", text: "Your account already has this email, or the link was already used." },
  taken: { title: "This email is taken", text: "Another account uses this address now. Contact us, and we’ll help." },
  expired: { title: "This link has expired", text: "Links are valid for 7 days. Contact us, and we’ll help." },
  unknown: { title: "This link is incomplete", text: "Open it from the email again, or copy the whole link." },
} as const;

/** Why a link to confirm a new email doesn't work. */
export const linkProblems = {
  "other-account": {
    title: "This link belongs to another account",
    text: "Sign out, then sign in to the account whose email you’re changing and open the link again.",
  },
  expired: {
    title: "This confirmation link has expired",
    text: "Links are valid for 24 hours. Your email is unchanged. To change it, request a new link.",
  },
  replaced: {
    title: "This confirmation link is no longer valid",
    text: "The change was canceled, or a newer link was sent. Your email is unchanged.",
  },
  unknown: {
    title: "This confirmation link is incomplete",
    text: "Open it from the email again, or make sure you copy the whole link.",
  },
} as const;

export function usedLinkProblem(email: string) {
  return { title: "Your email has already been changed", text: `You sign in with ${email}.` };
}

export function takenProblem(email: string) {
  return {
    title: "This email is already in use",
    text: `Another account now uses ${email}. Your email is unchanged.`,
  };
}

/** `when` is "in 12 minutes". */
export function tooManyPasswordsMessage(when: string) {
  return { title: "Too many wrong passwords", text: `Try again ${when}.` };
}

export function tooManyChangesMessage(when: string) {
  return { title: "Too many requests", text: `We won’t send more emails for now. Try again ${when}.` };
}
