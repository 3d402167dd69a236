import type { Plan } from "#app/features/billing/rules.ts";
import { countCharacters, paragraph } from "#app/services/base/plain-text.ts";

import { saveMessages } from "./messages.ts";
import { themeChoices } from "./themes.ts";

/** The owner of the sample profile. No account has this id, so no one can sign in as it. */
export const sampleOwnerId = "demo-user";

export const maxDisplayName = 50;
export const maxBio = 160;

/**
 * Longer text is refused before it is cleaned. Unicode normalization (NFC) takes quadratic time for a run of accents: a megabyte of them
 * would block the process for a minute.
 */
export const maxTyped = 5_000;

/** A profile's `contactCardId` when its owner wants no card there: visitors then open cards only by their own links. */
export const noContactCard = "none";

/** The length of a text after the cleaning that a save does. */
export function countSavedCharacters(text: string): number {
  return countCharacters(text.length > maxTyped ? text : paragraph(text));
}

/** The name of a new profile: the part of the email address before the @, or "User". */
export function nameFromEmail(email: string): string {
  const name = [...(email.split("@")[0] ?? "")].slice(0, maxDisplayName).join("");
  return name || "User";
}

/** The name of a new profile: that of the account, or one from its address. */
export function nameOf({ name = "", email }: { name?: string; email: string }): string {
  const line = name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return [...line].slice(0, maxDisplayName).join("").trim() || nameFromEmail(email);
}

/** Whether the name of an account is more than a part of its address: then a provider knew it. */
export function isNameKnown({ name, email }: { name: string; email: string }): boolean {
  return name !== "" && name !== (email.split("@")[0] ?? "");
}

/** The name that pages show: "Professional" when the owner left it empty. */
export function publicName(displayName: string): string {
  return displayName.trim() || "Professional";
}

/** Whether a save would leave someone who has a name without one. A profile that never had one may stay so. */
export function isNameCleared(name: string | undefined, stored: string): boolean {
  return name === "" && stored !== "";
}

/** The theme that visitors see. After a downgrade a Premium theme stays stored, but the default theme is shown. */
export function publicTheme(plan: Pick<Plan, "themes">, theme: string): string {
  return plan.themes.includes(theme) ? theme : "default";
}

type ThemeChange = { theme: string; stored: string };

/** A theme that the plan lacks; undefined for an unknown one, and for the stored one, which can always be saved. */
export function findLockedTheme(plan: Pick<Plan, "themes">, { theme, stored }: ThemeChange) {
  if (plan.themes.includes(theme) || theme === stored) return undefined;
  return themeChoices.find(({ id }) => id === theme);
}

/** Why a theme can't be saved. */
export function findThemeError(plan: Pick<Plan, "themes">, change: ThemeChange) {
  if (plan.themes.includes(change.theme) || change.theme === change.stored) return undefined;
  const locked = findLockedTheme(plan, change);
  return locked ? saveMessages.themeIsPremium(locked.name) : saveMessages.themeUnknown;
}
