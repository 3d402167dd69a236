import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { contrast, isDark } from "#app/services/base/color-contrast.ts";
import { publicCss } from "#tests/support/fixtures/public-css.ts";

import { findTheme, inkColors, themeChoices, themes } from "./themes.ts";
import type { ThemeColors } from "./themes.ts";

const lightThemes = [{ id: "ink", colors: inkColors, banner: undefined }, ...themes].map((theme) => ({
  ...theme,
  name: theme.id,
  tokens: tokensOf(theme.id),
}));
const darkThemes = themes
  .map(({ id }) => findTheme(id))
  .flatMap(({ id, dark }) => (dark ? [{ name: `${id} dark`, colors: dark, tokens: darkTokensOf(id) }] : []));

test("Free has three themes, Premium all six", () => {
  expect(themes.map(({ id }) => id)).toEqual(["default", "ocean", "minimal", "sunset", "forest", "royal"]);
  const free = themeChoices.filter(({ isPremium }) => !isPremium).map(({ id }) => id);
  expect(free).toEqual(["default", "ocean", "minimal"]);
  expect(plans.free.themes.toSorted()).toEqual(free.toSorted());
  expect(plans.premium.themes.toSorted()).toEqual(themes.map(({ id }) => id).toSorted());
});

test("an unknown theme is the default one", () => {
  expect(findTheme("royal").id).toBe("royal");
  expect(findTheme("'><script>").id).toBe("default");
  expect(findTheme("").id).toBe("default");
});

test("each theme has its own background, banner and heading font", () => {
  const tokens = themes.map(({ id }) => tokensOf(id));
  for (const name of ["ground", "banner", "heading"]) {
    expect(new Set(tokens.map((token) => token[name])).size).toBe(themes.length);
  }
});

test("themes differ in shape and font weight, not only in color", () => {
  const shapes = themes.map(({ id }) => tokensOf(id)).map(({ r, weight }) => `${r} ${weight}`);
  expect(new Set(shapes).size).toBe(themes.length);
});

test("default and minimal have dark variants; the other themes are always dark", () => {
  expect(darkThemes.map(({ name }) => name)).toEqual(["default dark", "minimal dark"]);
  expect(darkThemes[0]?.colors).toEqual({ ...inkColors, raised: "#050607" });
  for (const { id, colors } of themes) {
    expect(isDark(colors.ground) || findTheme(id).dark !== undefined, id).toBe(true);
  }
});

test.each(lightThemes)("the stylesheet has the banner and heading font of $name", ({ tokens, banner }) => {
  expect(tokens["heading"]).toMatch(/serif$/);
  expect(tokens["banner"]?.match(/#\w{6}/g)).toEqual(banner);
});

describe.each([...lightThemes, ...darkThemes])("$name", ({ colors, tokens }) => {
  test("has the same colors in the stylesheet", () => {
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
  ] as [keyof ThemeColors, keyof ThemeColors][])("%s on %s has a contrast of at least 4.5", (front, back) => {
    expect(contrast(colors[front], colors[back])).toBeGreaterThanOrEqual(4.5);
  });

  test("the focus ring and the main button have a contrast of at least 3", () => {
    for (const back of ["ground", "surface"] as const) {
      expect(contrast(colors.accent, colors[back])).toBeGreaterThanOrEqual(3);
      expect(contrast(colors.button, colors[back])).toBeGreaterThanOrEqual(3);
    }
  });
});

/** The custom properties of a theme in the stylesheet. */
function tokensOf(id: string): Record<string, string> {
  return tokensIn(new RegExp(String.raw`\[data-theme="${id}"\][^{]*\{([^}]*)\}`).exec(publicCss)?.[1]);
}

function tokensIn(block = ""): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Those for devices that prefer dark. */
function darkTokensOf(id: string): Record<string, string> {
  const darkCss = publicCss.slice(publicCss.indexOf("(prefers-color-scheme: dark)"));
  return tokensIn(new RegExp(String.raw`\[data-theme="${id}"\][^{]*\{([^}]*)\}`).exec(darkCss)?.[1]);
}
