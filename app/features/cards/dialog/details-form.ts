import type { CardViewModel } from "#app/features/cards/card-view-model.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

/** What the card dialog edits: fields of the card, and its owner's name and bio. */
export type DetailsFormValues = Record<(typeof detailFields)[number], string>;

export const detailFields = ["display_name", "profession", "company", "position", "email", "phone", "bio"] as const;

/** A card as the card dialog shows it, or why it can't be shown. */
export type DialogCardResult = DialogCard | { problem: { title: string; text: string } };

export type DialogCard = {
  id: string;
  problem?: undefined;
  values: DetailsFormValues;
  /** The card as visitors see it. */
  view: CardViewModel;
  /** The full public address, without a source mark. */
  cardUrl: string;
  /** Its path, the base of the contact file. */
  path: string;
  /** Why visitors can't see it; undefined when they can. */
  hidden: { title: string; text: string } | undefined;
  qr: { size: number; d: string };
};

/** Messages by the name of the field. */
export type DetailsErrors = Partial<DetailsFormValues>;

/** The result of a save; `sent` is what the form sent. */
export type DetailsSaveResult = {
  sent: Partial<DetailsFormValues>;
  errors?: DetailsErrors;
  toast?: { title: string; text: string; tone: "success" | "error" };
};

/** The detail fields of a form; other fields are ignored. */
export function readDetailsForm(form: FormFields): Partial<DetailsFormValues> {
  const sent: Partial<DetailsFormValues> = {};
  for (const field of detailFields) {
    const value = form.get(field);
    if (typeof value === "string") sent[field] = value;
  }
  return sent;
}

/** The fields that differ from what is stored: a save may change no others. */
export function changedDetails(
  typed: DetailsFormValues,
  { saved, result }: { saved: DetailsFormValues; result: DetailsSaveResult | undefined },
): Partial<DetailsFormValues> {
  // The server may have stored a cleaned text, for example without spaces around it.
  const lastSaved = result?.toast?.tone === "success" ? result.sent : {};
  const unsaved = detailFields.filter(
    (field) => typed[field] !== lastSaved[field] && !isSameText(typed[field], saved[field]),
  );
  return Object.fromEntries(unsaved.map((field) => [field, typed[field]]));
}

/** Forms send line breaks as CRLF; a text area holds LF. */
function isSameText(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();
}

/** The result of a save with invalid fields: the toast says the first problem, which may be below the visible part of the dialog. */
export function refusedDetails(sent: Partial<DetailsFormValues>, errors: DetailsErrors): DetailsSaveResult {
  return { ...failedDetails(sent, Object.values(errors)[0] ?? ""), errors };
}

/** The result of a save that failed as a whole. */
export function failedDetails(sent: Partial<DetailsFormValues>, reason: string): DetailsSaveResult {
  return { sent, toast: { title: dialogMessages.detailsFailed, text: reason, tone: "error" } };
}

/** The texts of the dialog with a card's details (document 2, section 8, and our own). */
export const dialogMessages = {
  detailsSaved: { title: "Details Saved", text: "Your business card information has been updated." },
  detailsFailed: "Save Failed",
  detailsNotSaved: "Something went wrong on our end. Nothing was saved. Try again in a moment.",
  detailsOffline: "Couldn’t save. Check your connection and try again.",
  detailsSignedOut: "You’re signed out. Sign in again in another tab, then save here.",
  detailsOutcomeUnknown: "Your changes may or may not have been saved. Save again to make sure.",
  detailsDiskFull: "The server is out of disk space. Try again later.",
} as const;
