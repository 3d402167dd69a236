/** Texts about two-step verification and passkeys. */
export const factorMessages = {
  codeRequired: "Enter the code.",
  wrongCode: "This code isn’t right, or it was used before. Try the next one your app shows.",
  wrongProofCode: "This code isn’t right, or it was used before. Try the next one.",
  wrongSetupCode: "This code isn’t right. Check that your device’s time is set automatically, then try the next code.",
  wrongBackupCode: "This isn’t one of your backup codes, or it was used before.",
  wrongPasskey: {
    title: "This passkey can’t be used here",
    text: "Try again, or use another way to sign in.",
  },
  expired: {
    title: "Please sign in again",
    text: "You have 10 minutes to finish two-step verification.",
  },
  turnedOn: "Two-step verification is on",
  appReplaced: "Your new authenticator app is set up",
  turnedOff: "Two-step verification is off",
  codesMade: "Your old backup codes no longer work",
  passkeyAdded: "Passkey added",
  passkeyRenamed: "Passkey renamed",
  passkeyRemoved: "Passkey removed",
  passkeyNameRequired: "Enter a name.",
  passkeyNeeded: {
    title: "This passkey is your only second step",
    text: "Set up an authenticator app, add another passkey, or turn off two-step verification first.",
  },
  passkeyRefused: {
    title: "Couldn’t add the passkey",
    text: "Try again. If it keeps failing, use another device or browser.",
  },
  passkeysFull: { title: "You already have 20 passkeys", text: "First remove one you no longer use." },
  untrusted: "That browser is no longer trusted",
  untrustedAll: "No browsers are trusted now",
} as const;

/** `when` is "in 12 minutes". */
export function tooManyCodesMessage(when: string) {
  return { title: "Too many wrong codes", text: `Try again ${when}, or use another way.` };
}

export function tooManyFactorChangesMessage(when: string) {
  return { title: "Too many changes", text: `Try again ${when}.` };
}
