import type { ConsentPurpose, LeadStatus, SpamReason } from "#app/features/leads/rules.ts";
import type { Answer, ConsentSource } from "#app/features/leads/schema.ts";

import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";

import type { ShownLeads } from "#app/features/leads/inbox-rules.ts";

export const statusLabels: Record<LeadStatus, string> = {
  new: "New",
  contacted: "Contacted",
  won: "Won",
  lost: "Lost",
};

export const shownLabels: Record<ShownLeads, string> = {
  unread: "Unread",
  due: "Follow-up due",
  planned: "Follow-up planned",
};

/** How a lead came in, by `lead.source`. */
export const sourceLabels: Record<string, string> = {
  "": "Direct",
  link: "Link",
  qr: "QR code",
  nfc: "NFC tag",
  wallet: "Wallet pass",
  signature: "Email signature",
  background: "Video background",
  print: "Print",
  kiosk: "Kiosk",
  scan: "Paper card",
  hand: "Added by hand",
};

/** Whether the owner typed a lead, or moved it from a paper card. */
export function isInPerson(source: string): boolean {
  return source === "scan" || source === "hand";
}

/** What a lead's note is: the visitor's own words, or what its owner typed or moved from a paper card. */
export function noteLabel(source: string): string {
  return isInPerson(source) ? "Note from the card" : "Their note";
}

export const leaveUnsavedNotes = "What you changed in your notes will be lost.";

/** Why notes weren't saved. What was typed stays in the form. */
export const notSavedTexts: Record<ActionFailure, string> = {
  offline: "You are offline. What you typed is still here. Save again once you are connected.",
  "signed-out": "You are signed out. What you typed is still here. Sign in and save again.",
  "too-large": "This is too long to be sent. Shorten your note and save again.",
  failed:
    "Something went wrong, or this lead was deleted in another window. What you typed is still here. Try again in a moment.",
};

/** "Your budget: 100", "Which team? Sales": a question brings its own mark. */
export function answerLine({ question, answer }: Answer): string {
  return `${question}${/[?!.:]$/.test(question) ? "" : ":"} ${answer || "No answer"}`;
}

/** The address of a filter has no empty values, so direct leads have a name there. */
export const directSource = "direct";

export const purposeLabels: Record<ConsentPurpose, string> = {
  answer: "Reply",
  newsletter: "Newsletter",
  "in-person": "Card handed over in person",
};

/** What a consent allows its owner to do. */
export const permissionLabels: Record<ConsentPurpose, string> = {
  answer: "May contact",
  newsletter: "May send news",
  "in-person": "May contact",
};

export const consentSourceLabels: Record<ConsentSource, string> = {
  form: "Form on the card",
  kiosk: "Kiosk",
  "in person": "In person",
};

const spamLabels: Partial<Record<SpamReason, string>> = {
  honeypot: "A hidden field was filled in",
  "too-fast": "The form was sent faster than a person types",
  links: "Many links, or one in the name or company",
  "network-limit": "Many leads from the same network",
  "card-limit": "Many leads on this card",
  "address-limit": "Many leads with the same email",
  "disposable-address": "A disposable email address",
};

/** Why a lead looks like spam. */
export function spamLabel(reason: SpamReason): string {
  return spamLabels[reason] ?? "Unusual form";
}
