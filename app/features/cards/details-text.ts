import type { ShownContact } from "./contact-shown.ts";
import { messages } from "./messages.ts";

/** What the card dialog edits, as typed: of the card, and the name and bio of its owner. */
export type DetailsText = Record<(typeof detailFields)[number], string>;

export const detailFields = ["display_name", "profession", "company", "position", "email", "phone", "bio"] as const;

/** An own card as the card dialog shows it, or why it can't. */
export type DialogCard = ShownCard | { problem: { title: string; text: string } };

export type ShownCard = {
  id: string;
  problem?: undefined;
  text: DetailsText;
  /** As visitors see it. */
  shown: ShownContact;
  /** The whole public address, without a source mark. */
  cardUrl: string;
  /** Why visitors don't see it, where they don't. */
  hidden: { title: string; text: string } | undefined;
  qr: { size: number; d: string };
};

/** What is wrong, by the name of the field. */
export type DetailsErrors = Partial<DetailsText>;

/** How the dialog's save was answered; `sent` is what it was asked to save. */
export type DetailsAnswer = {
  sent: Partial<DetailsText>;
  errors?: DetailsErrors;
  toast?: { title: string; text: string; tone: "success" | "error" };
};

/** The fields that a form has, whatever else it holds. */
export function readSent(form: FormData): Partial<DetailsText> {
  const sent: Partial<DetailsText> = {};
  for (const field of detailFields) {
    const value = form.get(field);
    if (typeof value === "string") sent[field] = value;
  }
  return sent;
}

/** The fields whose words are others than those that are saved: the only ones that a save may touch. */
export function unsavedDetails(
  typed: DetailsText,
  { saved, answer }: { saved: DetailsText; answer: DetailsAnswer | undefined },
): Partial<DetailsText> {
  // What the last save took may be kept in other words: without spaces around it, say.
  const taken = answer?.toast?.tone === "success" ? answer.sent : {};
  const unsaved = detailFields.filter((field) => typed[field] !== taken[field] && !isSame(typed[field], saved[field]));
  return Object.fromEntries(unsaved.map((field) => [field, typed[field]]));
}

/** A form sends its line breaks as CRLF, a text area holds LF. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();
}

/** The answer to a save that came to nothing. */
export function refusedDetails(sent: Partial<DetailsText>, reason: string): DetailsAnswer {
  return { sent, toast: { title: messages.detailsFailed, text: reason, tone: "error" } };
}
