import { accentChoices, isOwnColor, layoutChoices, paperChoices, readDesign } from "./card-design.ts";
import type { CardDesign } from "./card-design.ts";

/** The design of a card as its form holds it. The accent "own" stands for the color in `accent_color`. */
export type DesignFormValues = Record<(typeof designFormFields)[number], string>;

export const designFormFields = ["accent", "accent_color", "layout", "paper"] as const;

/** What the color picker starts with. */
export const defaultOwnColor = "#3a5f8c";

export function toDesignValues({ accent, layout, paper }: CardDesign): DesignFormValues {
  const isOwn = isOwnColor(accent);
  return { accent: isOwn ? "own" : accent, accent_color: isOwn ? accent : defaultOwnColor, layout, paper };
}

/** The accent as typed; a layout or paper that is missing or unknown is the default. */
export function toDesign({ accent, accent_color: color, layout, paper }: DesignFormValues): CardDesign {
  const typed = accent.trim() === "own" ? color.trim() || "own" : accent.trim();
  return { ...readDesign({ accent: "", layout, paper }), accent: typed.toLowerCase() };
}

/** What a conflict about a design shows: the name of a field, and its value as text. */
export const designFieldTexts: Record<keyof DesignFormValues, { label: string; toText: (value: string) => string }> = {
  accent: { label: "Accent color", toText: (accent) => (accent === "own" ? "Custom color" : accentName(accent)) },
  accent_color: { label: "Custom accent color", toText: (color) => color },
  layout: { label: "Layout", toText: (layout) => nameOf(layoutChoices, layout) },
  paper: { label: "Paper", toText: (paper) => nameOf(paperChoices, paper) },
};

function accentName(accent: string): string {
  return accent === "" ? "Same as profile" : nameOf(accentChoices, accent);
}

function nameOf(choices: readonly { id: string; name: string }[], id: string): string {
  return choices.find((choice) => choice.id === id)?.name ?? id;
}
