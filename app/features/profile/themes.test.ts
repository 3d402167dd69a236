import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { publicCss } from "#tests/support/public-css.ts";

import { themeChoices } from "./theme-choices.ts";
import { ink, themeOf, themes } from "./themes.ts";
import type { ThemeColors } from "./themes.ts";

const byDay = [{ id: "ink", colors: ink, banner: undefined }, ...themes].map((theme) => ({
  ...theme,
  name: theme.id,
  tokens: tokensOf(theme.id),
}));
const atNight = themes
  .map(({ id }) => themeOf(id))
  .flatMap(({ id, dark }) => (dark ? [{ name: `${id} at night`, colors: dark, tokens: nightTokensOf(id) }] : []));

test("three themes are free, all six come with Premium", () => {
  expect(themes.map(({ id }) => id)).toEqual(["default", "ocean", "minimal", "sunset", "forest", "royal"]);
  const free = themeChoices.filter(({ isPremium }) => !isPremium).map(({ id }) => id);
  expect(free).toEqual(["default", "ocean", "minimal"]);
  expect(plans.free.themes.toSorted()).toEqual(free.toSorted());
  expect(plans.premium.themes.toSorted()).toEqual(themes.map(({ id }) => id).toSorted());
});

test("a theme nobody knows is paper", () => {
  expect(themeOf("royal").id).toBe("royal");
  expect(themeOf("'><script>").id).toBe("default");
  expect(themeOf("").id).toBe("default");
});

test("no two themes share a ground, a banner or an accent; each has a heading face", () => {
  const tokens = themes.map(({ id }) => tokensOf(id));
  for (const name of ["ground", "banner", "heading"]) {
    expect(new Set(tokens.map((token) => token[name])).size).toBe(themes.length);
  }
});

test("themes differ in shape and in the weight of the name as well, not in colour alone", () => {
  const shapes = themes.map(({ id }) => tokensOf(id)).map(({ r, weight }) => `${r} ${weight}`);
  expect(new Set(shapes).size).toBe(themes.length);
});

test("where a device prefers dark, paper is ink and minimal is reversed; the others are dark by themselves", () => {
  expect(atNight.map(({ name }) => name)).toEqual(["default at night", "minimal at night"]);
  expect(atNight[0]?.colors).toEqual({ ...ink, raised: "#050607" });
  for (const { id, colors } of themes) {
    expect(luminance(colors.ground) < 0.18 || themeOf(id).dark !== undefined, id).toBe(true);
  }
});

test.each(byDay)("$name has its banner and its heading face in the stylesheet", ({ tokens, banner }) => {
  expect(tokens["heading"]).toMatch(/serif$/);
  expect(tokens["banner"]?.match(/#\w{6}/g)).toEqual(banner);
});

describe.each([...byDay, ...atNight])("$name", ({ colors, tokens }) => {
  test("has in the stylesheet the colours of the table, and no others", () => {
    const shape = ["banner", "heading", "r", "brow", "weight"];
    expect(Object.fromEntries(Object.entries(tokens).filter(([name]) => !shape.includes(name)))).toEqual(colors);
  });

  test.each([
    ["text", "ground"],
    ["text", "surface"],
    ["text", "raised"],
    ["muted", "ground"],
    ["muted", "surface"],
    ["muted", "raised"],
    ["plate-text", "plate"],
    ["button-text", "button"],
    ["accent", "raised"],
  ] as [keyof ThemeColors, keyof ThemeColors][])("%s on %s is read easily", (front, back) => {
    expect(contrast(colors[front], colors[back])).toBeGreaterThanOrEqual(4.5);
  });

  test("the focus ring and the main button stand out from what is behind them", () => {
    for (const back of ["ground", "surface"] as const) {
      expect(contrast(colors.accent, colors[back])).toBeGreaterThanOrEqual(3);
      expect(contrast(colors.button, colors[back])).toBeGreaterThanOrEqual(3);
    }
  });
});

test("the words on the paper card are read easily on its lightest and its darkest spot", () => {
  const paper = /\.paper \{[^}]*linear-gradient\(([^)]*)\)/.exec(publicCss)?.[1]?.match(/#\w{6}/g) ?? [];
  expect(paper).toEqual(["#fbf9f4", "#f1ede3"]);
  for (const back of paper) {
    expect(contrast(themeOf("default").colors.text, back)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(themeOf("default").colors.muted, back)).toBeGreaterThanOrEqual(4.5);
  }
});

/** The custom properties a theme has in public-themes.css. */
function tokensOf(id: string): Record<string, string> {
  return tokensIn(new RegExp(String.raw`\[data-theme="${id}"\][^{]*\{([^}]*)\}`).exec(publicCss)?.[1]);
}

function tokensIn(block = ""): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Those that it has for a device that prefers dark. */
function nightTokensOf(id: string): Record<string, string> {
  const night = publicCss.slice(publicCss.indexOf("(prefers-color-scheme: dark)"));
  return tokensIn(new RegExp(String.raw`\[data-theme="${id}"\][^{]*\{([^}]*)\}`).exec(night)?.[1]);
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
