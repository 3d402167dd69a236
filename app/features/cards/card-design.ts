import type { Plan } from "#app/features/billing/rules.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

/**
 * How a card looks, as its owner chose it. `accent`: "" for the color of the profile's theme, the id of a preset, or a color such as
 * "#3a5f8c". `paper`: "" for the profile's theme.
 */
export type CardDesign = { accent: string; layout: CardLayout; paper: CardPaper };

export type CardLayout = (typeof layoutChoices)[number]["id"];
export type CardPaper = (typeof paperChoices)[number]["id"];

export const layoutChoices = [
  { id: "classic", name: "Classic", hint: "Name and details, with your avatar in the corner" },
  { id: "centered", name: "Centered", hint: "Avatar above the name, everything centered" },
  { id: "cover", name: "Photo cover", hint: "Your avatar fills one side of the card" },
] as const;

export const paperChoices = [
  { id: "", name: "Same as profile" },
  { id: "light", name: "Light" },
  { id: "dark", name: "Dark" },
] as const;

/** The shades for light and for dark paper. The first four are those of the live demo on the landing page. */
export const accentChoices = [
  { id: "indigo", name: "Indigo", light: "#4338ca", dark: "#a5b4fc" },
  { id: "blue", name: "Blue", light: "#1d4ed8", dark: "#7cc0ff" },
  { id: "violet", name: "Violet", light: "#7e22ce", dark: "#d8a7ff" },
  { id: "emerald", name: "Emerald", light: "#05694c", dark: "#6ee7b7" },
  { id: "teal", name: "Teal", light: "#0b6478", dark: "#67d9e8" },
  { id: "copper", name: "Copper", light: "#9a3d0c", dark: "#fbb27c" },
  { id: "rose", name: "Rose", light: "#b0175f", dark: "#ff9cc8" },
  { id: "slate", name: "Slate", light: "#3f4b5f", dark: "#b6c3d6" },
] as const satisfies readonly { id: string; name: string; light: HexColor; dark: HexColor }[];

/** The default design, for an owner who chose nothing. */
export const defaultDesign: CardDesign = { accent: "", layout: "classic", paper: "" };

/** A stored or submitted accent: undefined unless it is "", a preset or a color. */
export function parseAccent(text: string): string | undefined {
  if (text === "" || accentChoices.some(({ id }) => id === text)) return text;
  return isOwnColor(text) ? text.toLowerCase() : undefined;
}

/** "#3a5f8c". */
export function isOwnColor(accent: string): accent is HexColor {
  return /^#[\da-f]{6}$/i.test(accent);
}

/** Whether the plan includes an accent. */
export function includesAccent(plan: Pick<Plan, "accents" | "hasOwnAccents">, accent: string): boolean {
  return accent === "" || plan.accents.includes(accent) || (isOwnColor(accent) && plan.hasOwnAccents);
}

/** The design that visitors see. After a downgrade a Premium accent stays stored, but the theme's own is shown. */
export function publicDesign(plan: Pick<Plan, "accents" | "hasOwnAccents">, design: CardDesign): CardDesign {
  return includesAccent(plan, design.accent) ? design : { ...design, accent: "" };
}

/** Reads stored text: what this release doesn't know is the default. */
export function readDesign(stored: Record<keyof CardDesign, string>): CardDesign {
  return {
    accent: parseAccent(stored.accent) ?? defaultDesign.accent,
    layout: layoutChoices.find(({ id }) => id === stored.layout)?.id ?? defaultDesign.layout,
    paper: paperChoices.find(({ id }) => id === stored.paper)?.id ?? defaultDesign.paper,
  };
}
