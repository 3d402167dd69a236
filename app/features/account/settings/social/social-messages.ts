import { messages } from "#app/features/account/messages.ts";
import { signUpNotes } from "#app/features/shell/site-facts.ts";
import type { OAuthFailure } from "#app/services/auth/oauth/oauth-callbacks.server.ts";

type MessageText = { title: string; text?: string };

type Failed = {
  /** The provider's name. */
  provider: string;
  /** Whether users can sign in with a password, too. */
  hasPasswords: boolean;
};

/** Why a sign-in with a provider failed. Undefined for an unknown code: anyone can put one into a link. */
export function signInFailure(code: string, failed: Failed): MessageText | undefined {
  return Object.hasOwn(signInFailures, code) ? signInFailures[code]?.(failed) : undefined;
}

const signInFailures: Record<string, (failed: Failed) => MessageText> = {
  unreachable: ({ provider, hasPasswords }) => ({
    title: `We couldn’t reach ${provider}. Try again ${hasPasswords ? "or sign in with your password" : "in a moment"}.`,
  }),
  canceled: ({ provider }) => ({ title: `You canceled at ${provider}`, text: "Nothing was changed." }),
  account_exists: ({ provider, hasPasswords }) => ({
    title: "You already have an account with this email",
    text: hasPasswords
      ? `Sign in with your password, then connect ${provider} in your account settings.`
      : `It isn’t connected to ${provider}. Ask the operator of this site to let you sign in with your password once.`,
  }),
  email_not_verified: ({ provider, hasPasswords }) => ({
    title: `${provider} hasn’t confirmed your email`,
    text: `Confirm your email address at ${provider}, then try again.${hasPasswords ? " Or sign up with a password." : ""}`,
  }),
  invitation_required: ({ provider }) => ({
    title: signUpNotes.invite,
    text: `Your ${provider} address has no account and no invitation here.`,
  }),
  sign_up_closed: ({ provider }) => ({
    title: signUpNotes.closed,
    text: `Your ${provider} address has no account here.`,
  }),
  account_blocked: () => messages.accountBlocked,
};

/** Why an account couldn't be connected. The title is the specification's. */
export function connectFailure(reason: OAuthFailure, provider: string): MessageText {
  return { title: socialMessages.connectFailed, ...connectFailures[reason]?.(provider) };
}

const connectFailures: Partial<Record<OAuthFailure, (provider: string) => { text: string }>> = {
  unreachable: (provider) => ({ text: `We couldn’t reach ${provider}. Try again in a moment.` }),
  canceled: (provider) => ({ text: `You canceled at ${provider}.` }),
  connected_elsewhere: (provider) => ({ text: `This ${provider} account is connected to another account here.` }),
  connected_before: (provider) => ({ text: `Disconnect your current ${provider} account first.` }),
  signed_out: () => ({ text: "Sign in again, then connect it from your account." }),
  sign_in_failed: () => ({ text: "Try again in a moment." }),
};

export const socialMessages = {
  connectFailed: "Failed to connect account",
  connected: (provider: string) => `${provider} connected`,
  disconnected: (provider: string) => `${provider} disconnected`,
  notConnected: (provider: string) => `${provider} wasn’t connected`,
  offerGone: "This offer has expired. Connect the account again to get a new one.",
  nameUsed: "Name changed",
  nameFailed: "This name can’t be used. It’s too long.",
  photoUsed: "Photo changed",
  photoFailed: "The photo couldn’t be used. Upload one instead.",
  linkAdded: "Link added",
  linkFailed: "You already have the maximum number of links. Remove one first.",
  tryAgain: "Your profile was changed at the same time. Try again.",
  lastSignInMethod: {
    title: "You need another way to sign in first",
    text: "Set a password or add a passkey, then disconnect this account.",
  },
} as const;

/** The texts of wallets: connecting one, and signing in with it. */
export const walletMessages = {
  name: "Ethereum wallet",
  refused: {
    title: "The wallet couldn’t be checked",
    text: "The request was used or has expired, or another account signed it. Try again.",
  },
  connected: "Ethereum wallet connected",
  disconnected: "Ethereum wallet disconnected",
  notConnected: "The wallet wasn’t connected",
  connectedElsewhere: {
    title: "Failed to connect account",
    text: "This wallet is connected to another account here.",
  },
  connectedBefore: { title: "Failed to connect account", text: "Disconnect your current wallet first." },
} as const;

/** "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" -> "0xd8dA…6045". */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
