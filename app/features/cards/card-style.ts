import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { publicTheme } from "#app/features/profile/rules.ts";
import { findTheme, inkColors } from "#app/features/profile/themes.ts";
import type { ThemeColors } from "#app/features/profile/themes.ts";
import { plainCardColors } from "#app/features/drawing/business-card-style.ts";
import type { BusinessCardColors } from "#app/features/drawing/business-card-style.ts";
import { isDark, leastDrawingContrast, readableOn } from "#app/services/base/color-contrast.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

import { accentChoices, isOwnColor, publicDesign } from "./card-design.ts";
import type { CardDesign, CardLayout } from "./card-design.ts";
import type { CardStyle } from "./card-view-model.ts";

type StyledOwner = { theme: string; plan: Pick<Plan, "themes" | "accents" | "hasOwnAccents"> };

/** The style of a card whose owner's profile has a stored theme, as far as the plan includes both. */
export function cardStyle(chosen: CardDesign, { theme, plan }: StyledOwner): CardStyle {
  const design = publicDesign(plan, chosen);
  const page = cardPageTheme(publicTheme(plan, theme));
  const paper = design.paper === "" ? page.paper : papers[design.paper];
  return {
    theme: page.id,
    paper,
    layout: design.layout,
    css: layoutCss[design.layout] + accentCss(design.accent, { page, paper }),
  };
}

/** The colors of a card's page: those of the profile's theme. In the default theme the card itself is always paper. */
function cardPageTheme(stored: string): CardPageTheme {
  const { id, colors, dark } = findTheme(stored);
  return { id, colors, dark, paper: id === "default" ? "default" : undefined };
}

type CardPageTheme = {
  id: string;
  colors: ThemeColors;
  /** For devices that prefer dark, if the theme differs there. */
  dark?: ThemeColors | undefined;
  paper: CardStyle["paper"];
};

const papers = { light: "default", dark: "ink" } as const;

/** The gradient of each paper. The stylesheet of the public pages has the same colors; a test compares them. */
export const paperColors: Record<"default" | "ink", readonly [HexColor, HexColor]> = {
  default: ["#fbf9f4", "#f1ede3"],
  ink: [inkColors.surface, inkColors.raised],
};

/** In addition to `.card` in card.css. Here, so that the page of a classic card doesn't have them. */
const layoutCss: Record<CardLayout, string> = {
  classic: "",
  centered: [
    ".centered{grid-template:auto/1fr;justify-items:center;text-align:center}",
    ".centered .avatar{order:-1;width:96px;height:96px;margin:0 0 16px;font-size:34px}",
    ".centered .logo{margin-inline:auto;object-position:center}",
    ".centered .contacts{justify-content:center;width:100%}",
  ].join(""),
  cover: [
    // `overflow: hidden` would let the aspect ratio cut text off.
    ".card.cover{position:relative;overflow:clip;grid-template-columns:1fr;padding-inline-end:calc(38% + 20px)}",
    ".card.cover .avatar{position:absolute;inset-block:-1px;inset-inline-end:-1px;width:38%;height:auto;margin:0;border-radius:0;font-size:min(10cqi,6rem)}",
    '.cover[data-theme="default"]{border:0}',
    "@container(max-width:22em){.card.cover{padding-inline-end:calc(34% + 14px)}.card.cover .avatar{width:34%}.cover .contacts{font-size:.8125rem}}",
    ".cover .name:not([data-long]){font-size:clamp(1.25rem,6.5cqi,2.25rem)}",
  ].join(""),
};

/** On screens only: print is black on white. */
function accentCss(accent: string, { page, paper }: { page: CardPageTheme; paper: CardStyle["paper"] }): string {
  if (accent === "") return "";
  const pageRule = (colors: ThemeColors) => {
    const { shade, text } = accentOn([colors.ground, colors.surface, colors.raised], accent);
    return `.accent.accent{--accent:${shade};--button:${shade};--button-text:${text};--brand:${shade};--on-brand:${text}}`;
  };
  const card = paper && accentOn(paperColors[paper], accent);
  const cardRule = card ? `.card.card{--brand:${card.shade};--on-brand:${card.text}}` : "";
  const darkRule = page.dark ? `@media(prefers-color-scheme:dark){${pageRule(page.dark)}}` : "";
  return `@media screen{${pageRule(page.colors)}${darkRule}${cardRule}}`;
}

/** A shade of the accent that is readable on these backgrounds (WCAG AA), and the color of text on that shade. */
export function accentOn(backgrounds: readonly HexColor[], accent: string): { shade: HexColor; text: HexColor } {
  const isOnDark = backgrounds.every(isDark);
  const preset = accentChoices.find(({ id }) => id === accent);
  const color = preset ? preset[isOnDark ? "dark" : "light"] : isOwnColor(accent) ? accent : inkColors.text;
  return { shade: readableOn(backgrounds, color), text: isOnDark ? inkColors.ground : "#ffffff" };
}

/** The color of a line in a mail, whose background is white or dark gray: visible on both. Gray without an accent. */
export function mailAccent(chosen: CardDesign, plan: StyledOwner["plan"]): HexColor {
  const { accent } = publicDesign(plan, chosen);
  const preset = accentChoices.find(({ id }) => id === accent);
  const color = preset?.light ?? (isOwnColor(accent) ? accent : "#8a8a8a");
  const onDark = readableOn(["#1f1f1f"], color, leastDrawingContrast);
  return readableOn(["#ffffff"], onDark, leastDrawingContrast);
}

/** The style in the editor's preview: also with accents that the plan doesn't include. */
export function previewStyle(
  design: CardDesign,
  { theme, themes }: { theme: string; themes: readonly string[] },
): CardStyle {
  return cardStyle(design, { theme, plan: { ...plans.premium, themes } });
}

/**
 * How a card is drawn in images: as on its page on a device that prefers light. `onWhite` is the accent as the color of text on white paper;
 * undefined without one.
 */
export function drawnStyle(chosen: CardDesign, owner: StyledOwner): DrawnStyle {
  const { accent, paper: chosenPaper, layout } = publicDesign(owner.plan, chosen);
  const page = cardPageTheme(publicTheme(owner.plan, owner.theme));
  const kind = chosenPaper === "" ? page.paper : papers[chosenPaper];
  const paper = kind ? paperColors[kind] : ([page.colors.surface, page.colors.raised] as const);
  const own = accent ? accentOn(paper, accent) : undefined;
  const base = kind === "default" ? plainCardColors : themedCardColors(kind === "ink" ? inkColors : page.colors);
  const branded = own && { brand: own.shade, avatar: own.shade, avatarText: own.text };
  const { ground, muted } = page.id === "default" ? inkColors : page.colors;
  return {
    layout,
    colors: { ...base, ...branded, paper },
    page: { ground, muted },
    onWhite: accent ? accentOn(["#ffffff"], accent).shade : undefined,
  };
}

type DrawnStyle = {
  layout: CardLayout;
  colors: BusinessCardColors;
  page: { ground: string; muted: string };
  onWhite: HexColor | undefined;
};

function themedCardColors({ text, muted, line, avatar, "avatar-text": avatarText }: ThemeColors) {
  return { text, muted, line, brand: muted, avatar, avatarText };
}
