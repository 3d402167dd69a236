import { plans } from "#app/features/billing/rules.ts";

const themeOptions = [
  {
    id: "default",
    name: "Default",
    description: "Warm white, or near-black in dark mode",
    swatch: ["#f7f4ed", "#e0412b"],
  },
  {
    id: "ocean",
    name: "Ocean",
    description: "Deep blue with light turquoise",
    swatch: ["#0d3b52", "#80d0d8"],
  },
  {
    id: "minimal",
    name: "Minimal",
    description: "Black on white, or reversed",
    swatch: ["#ffffff", "#16181d"],
  },
  {
    id: "sunset",
    name: "Sunset",
    description: "Wine red with bright orange",
    swatch: ["#4a1d2c", "#ff9a62"],
  },
  {
    id: "forest",
    name: "Forest",
    description: "Pine green with light green",
    swatch: ["#1e3226", "#b7d98b"],
  },
  {
    id: "royal",
    name: "Royal",
    description: "Midnight violet and gold",
    swatch: ["#1f1747", "#d9b25f"],
  },
] as const satisfies readonly ProfileThemeOption[];

export type ThemeId = (typeof themeOptions)[number]["id"];

/** In the order of the editor. `isPremium`: Free doesn't include the theme. */
export const themeChoices = themeOptions.map((theme) => ({
  ...theme,
  isPremium: !plans.free.themes.includes(theme.id),
}));

/** The theme with a stored name; the default theme for an unknown one. */
export function toThemeId(stored: string): ThemeId {
  return themeChoices.find(({ id }) => id === stored)?.id ?? "default";
}

type ProfileThemeOption = {
  id: string;
  name: string;
  description: string;
  /** Background and accent. */
  swatch: readonly [`#${string}`, `#${string}`];
};

/** Dark paper, and the background of the default theme on devices that prefer dark. */
export const inkColors: ThemeColors = {
  ground: "#0e0f12",
  surface: "#16181d",
  raised: "#1d2026",
  avatar: "#3a3f49",
  "avatar-text": "#f4f1ea",
  line: "#2a2e36",
  text: "#f4f1ea",
  muted: "#a3a7b0",
  accent: "#f4f1ea",
  button: "#f4f1ea",
  "button-text": "#15161a",
};

/** The stylesheet of the public pages has the same colors; a test compares them. */
const themeStyles: Record<ThemeId, ThemeStyle> = {
  default: {
    banner: ["#223149", "#5a3b3a", "#cf6a4a"],
    colors: {
      ground: "#f7f4ed",
      surface: "#ffffff",
      raised: "#ebe6da",
      avatar: "#d9d2c3",
      "avatar-text": "#17181b",
      line: "#ddd7c9",
      text: "#17181b",
      muted: "#67645c",
      accent: "#17181b",
      button: "#17181b",
      "button-text": "#f7f4ed",
    },
    // Darker than the background, so that the open tab stands out.
    dark: { ...inkColors, raised: "#050607" },
  },
  ocean: {
    banner: ["#062434", "#0f6480", "#80d0d8"],
    colors: {
      ground: "#0d3b52",
      surface: "#144a63",
      raised: "#092d40",
      avatar: "#1d5f7a",
      "avatar-text": "#a5e3e8",
      line: "#2a6078",
      text: "#effafb",
      muted: "#b2d3dc",
      accent: "#80d0d8",
      button: "#80d0d8",
      "button-text": "#06222f",
    },
  },
  minimal: {
    banner: ["#f2f2f2", "#e9e9e9", "#dcdcdc"],
    colors: {
      ground: "#ffffff",
      surface: "#ffffff",
      raised: "#f0f0f0",
      avatar: "#16181d",
      "avatar-text": "#ffffff",
      line: "#d4d4d4",
      text: "#16181d",
      muted: "#5f6269",
      accent: "#16181d",
      button: "#16181d",
      "button-text": "#ffffff",
    },
    dark: {
      ground: "#000000",
      surface: "#000000",
      raised: "#1c1c1e",
      avatar: "#ffffff",
      "avatar-text": "#16181d",
      line: "#3c3d41",
      text: "#ffffff",
      muted: "#a0a2a8",
      accent: "#ffffff",
      button: "#ffffff",
      "button-text": "#16181d",
    },
  },
  sunset: {
    banner: ["#2a1036", "#a8324c", "#ffa066"],
    colors: {
      ground: "#4a1d2c",
      surface: "#5d2839",
      raised: "#391421",
      avatar: "#7a3346",
      "avatar-text": "#ffc49f",
      line: "#7c4153",
      text: "#fff4ec",
      muted: "#ecc5b9",
      accent: "#ff9a62",
      button: "#ff9a62",
      "button-text": "#35101c",
    },
  },
  forest: {
    banner: ["#0d2017", "#3a6a44", "#c3dc93"],
    colors: {
      ground: "#1e3226",
      surface: "#294133",
      raised: "#15251b",
      avatar: "#3b5a46",
      "avatar-text": "#cfe9ac",
      line: "#435d4d",
      text: "#f3f7ea",
      muted: "#bccdb4",
      accent: "#b7d98b",
      button: "#b7d98b",
      "button-text": "#14230f",
    },
  },
  royal: {
    banner: ["#0d0829", "#432c9a", "#d9b25f"],
    colors: {
      ground: "#1f1747",
      surface: "#2b225b",
      raised: "#151036",
      avatar: "#3a2f75",
      "avatar-text": "#ecca80",
      line: "#6d5c4f",
      text: "#f7f2ff",
      muted: "#c2badf",
      accent: "#d9b25f",
      button: "#d9b25f",
      "button-text": "#1b1338",
    },
  },
};

export const themes: readonly Theme[] = themeChoices.map(({ id }) => ({ id, ...themeStyles[id] }));

/** The theme with a stored name; the default theme for an unknown one. */
export function findTheme(stored: string): Theme {
  const id = toThemeId(stored);
  return { id, ...themeStyles[id] };
}

type Theme = ThemeStyle & { id: ThemeId };

type HexColor = `#${string}`;

/** `raised` is behind tabs and icons, `avatar` behind initials. Each name is also a custom property in the stylesheet. */
export type ThemeColors = Record<
  | "ground"
  | "surface"
  | "raised"
  | "avatar"
  | "avatar-text"
  | "line"
  | "text"
  | "muted"
  | "accent"
  | "button"
  | "button-text",
  HexColor
>;

type ThemeStyle = {
  /** Gradient stops. */
  banner: readonly [HexColor, HexColor, HexColor];
  colors: ThemeColors;
  /** For devices that prefer dark. Themes without it are dark themselves. */
  dark?: ThemeColors;
};
