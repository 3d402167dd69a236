import { readText } from "./card-text.ts";
import type { CardErrors, CardText } from "./card-text.ts";
import { messages } from "./messages.ts";
import { moreLengths } from "./more-fields.ts";
import { maxLengths } from "./rules.ts";

/** What the card editor shows: the text as it is typed now, and how the last save was answered. */
export type Editing = { text: CardText; answer: SaveAnswer | undefined };

/** How a save was answered that did not succeed; `typed` is what it was asked to save. */
export type SaveAnswer = {
  typed: CardText;
  /** The one that the form was opened with, or that its owner chose to replace. */
  version: number;
  errors?: CardErrors;
  /** What another tab saved meanwhile: the owner says which one to keep. */
  other?: StoredText;
  failure?: Failure;
};

type Failure = { title: string; text: string; tone: "error" };

/** `version` is 0 for a card that was never saved. */
export type StoredText = { text: CardText; version: number };

const limits = { ...maxLengths, ...moreLengths };

type LineName = keyof typeof limits | "years_experience";

/** What is wrong with a field, until it is changed. */
export function errorOf({ text, answer }: Editing, name: LineName): string | undefined {
  if (name !== "years_experience" && text[name].length > limits[name]) return messages.tooLong(limits[name]);
  return answer?.typed[name] === text[name] ? answer.errors?.[name] : undefined;
}

/** What is wrong with a link, wherever in the list it has moved to since it was sent. */
export function linkErrorOf({ text, answer }: Editing, id: string, field: "name" | "url"): string | undefined {
  const row = answer?.typed.links.findIndex((link) => link.id === id) ?? -1;
  const now = text.links.find((link) => link.id === id);
  return now && answer?.typed.links[row]?.[field] === now[field] ? answer.errors?.[`links.${row}.${field}`] : undefined;
}

/** What is wrong with a further phone or e-mail, as `linkErrorOf`. */
export function reachErrorOf({ text, answer }: Editing, list: "phones" | "emails", id: string): string | undefined {
  const row = answer?.typed[list].findIndex((reach) => reach.id === id) ?? -1;
  const now = text[list].find((reach) => reach.id === id);
  if (!now) return undefined;
  const limit = maxLengths[list === "phones" ? "phone" : "email"];
  if (now.value.length > limit) return messages.tooLong(limit);
  return answer?.typed[list][row]?.value === now.value ? answer.errors?.[`${list}.${row}.value`] : undefined;
}

/** The version that the owner saw when they began; "Keep mine" says which one it replaces instead. */
export function readVersion(form: FormData): number {
  const said = form.get("replaces") ?? form.get("version");
  return typeof said === "string" && /^\d{1,9}$/.test(said) ? Number(said) : 0;
}

/** The answer to a save that came to nothing on the way. */
export function notSaved(form: FormData, reason: string): SaveAnswer {
  return { typed: readText(form), version: readVersion(form), failure: failureOf(messages.saveFailed(reason)) };
}

export function failureOf(text: string): Failure {
  return { title: "Error", text, tone: "error" };
}
