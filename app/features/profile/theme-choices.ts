/** What the editor offers, in this order. The whole looks are in themes.ts: whoever only chooses one need not load them all. */
export const themeChoices = [
  {
    id: "default",
    name: "Default",
    description: "Warm paper, and ink where it is dark",
    isPremium: false,
    swatch: ["#f7f4ed", "#e0412b"],
  },
  {
    id: "ocean",
    name: "Ocean",
    description: "Deep water with a bright, clear edge",
    isPremium: false,
    swatch: ["#0d3b52", "#80d0d8"],
  },
  {
    id: "minimal",
    name: "Minimal",
    description: "Black on white, square, and the reverse in the dark",
    isPremium: false,
    swatch: ["#ffffff", "#16181d"],
  },
  {
    id: "sunset",
    name: "Sunset",
    description: "Wine red under the last orange light",
    isPremium: true,
    swatch: ["#4a1d2c", "#ff9a62"],
  },
  {
    id: "forest",
    name: "Forest",
    description: "Pine shade and young leaves",
    isPremium: true,
    swatch: ["#1e3226", "#b7d98b"],
  },
  {
    id: "royal",
    name: "Royal",
    description: "Midnight violet signed in gold",
    isPremium: true,
    swatch: ["#1f1747", "#d9b25f"],
  },
] as const satisfies readonly ThemeChoice[];

export type ThemeId = (typeof themeChoices)[number]["id"];

/** The theme a stored name stands for; one that we do not know is paper. */
export function themeIdOf(stored: string): ThemeId {
  return themeChoices.find(({ id }) => id === stored)?.id ?? "default";
}

type ThemeChoice = {
  id: string;
  name: string;
  description: string;
  isPremium: boolean;
  /** Ground and accent. */
  swatch: readonly [`#${string}`, `#${string}`];
};
