import type { Plan } from "#app/features/billing/rules.ts";
import { paragraph } from "#app/services/plain-text.ts";

import { answerWords } from "./answer-words.ts";
import { themeChoices } from "./theme-choices.ts";

/** The owner of the sample. Nobody has an account with this id, so nobody can sign in as it. */
export const sampleOwner = "demo-user";

export const maxDisplayName = 50;
export const maxBio = 160;

/**
 * What is longer than this was never typed by hand: it is refused before anything reads it. Unicode's composition (NFC) takes
 * time by the square of a run of accents, so a megabyte of them would keep the process busy for a minute.
 */
export const maxTyped = 5_000;

/**
 * How long a text is for our limits: Unicode code points, after the cleaning that a save does. Not graphemes: those depend on the
 * Unicode version of whoever counts, and the browser's counter and the server must agree.
 */
export function countCharacters(text: string): number {
  return [...(text.length > maxTyped ? text : paragraph(text))].length;
}

/** The name a new profile starts with: what stands before the @ of the e-mail address, or "User". */
export function nameFromEmail(email: string): string {
  const name = [...(email.split("@")[0] ?? "")].slice(0, maxDisplayName).join("");
  return name || "User";
}

/** The name a page shows when its owner left it empty. */
export function shownName(displayName: string): string {
  return displayName.trim() || "Professional";
}

/** The theme that visitors see: after a downgrade a Premium theme is kept, and shown as the default one. */
export function shownTheme(plan: Pick<Plan, "themes">, theme: string): string {
  return plan.themes.includes(theme) ? theme : "default";
}

/** Why a theme can't be chosen; `stored` may be kept, whatever the plan has become. */
export function refuseTheme(plan: Pick<Plan, "themes">, { theme, stored }: { theme: string; stored: string }) {
  if (plan.themes.includes(theme) || theme === stored) return undefined;
  return themeChoices.some(({ id }) => id === theme) ? answerWords.themeIsPremium : answerWords.themeUnknown;
}
