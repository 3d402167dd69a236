import { messages } from "./messages.ts";
import { maxBio, maxDisplayName } from "./rules.ts";

/**
 * The texts of a profile that are typed. The form, its checks, the stored row, the conflict notice and the API follow from this table, see
 * "An optional profile field" in docs/adding-a-feature.md. A limit counts characters of the cleaned text.
 */
export const typedTexts = {
  displayName: { label: "Display name", maxLength: maxDisplayName, tooLong: messages.nameTooLong },
  bio: { label: "Bio", maxLength: maxBio, tooLong: messages.bioTooLong },
};
export type TypedTextName = keyof typeof typedTexts;
export type ProfileTextName = TypedTextName | "handle" | "theme";

export const switchLabels = {
  showBusinessCard: "List my cards on my own profile view",
  isListed: "Show in search results",
};
export type ProfileSwitchName = keyof typeof switchLabels;
