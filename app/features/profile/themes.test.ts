import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { contrast, isDark } from "#app/services/base/color-contrast.ts";
import { withoutUnusedThemes } from "#app/features/sharing/public-page/public-page-style.tsx";
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

test.each(["ink", "paper", ...themes.map(({ id }) => id)])("a page in %s has the colors of this theme only", (id) => {
  const css = withoutUnusedThemes(publicCss, `<main class="page" data-theme="${id}">`);
  const grounds = (text: string) => text.match(/(?<=--ground: )#\w{6}/g);
  const own = publicCss.match(/:is\([^{}]*data-theme[^{}]*\{[^}]*\}/g)?.filter((rule) => rule.includes(`"${id}"`));
  expect(own?.length).toBeGreaterThan(0);
  expect(grounds(css)).toEqual(grounds(own?.join("") ?? ""));
  expect(css.split("body:has(> .page)")[1]).toBe(publicCss.split("body:has(> .page)")[1]);
});

test("an unknown theme is the default one", () => {
  expect(findTheme("royal").id).toBe("royal");
  expect(findTheme("'><script>").id).toBe("default");
  expect(findTheme("").id).toBe("default");
});

test("each theme has its own background, banner, heading font, shape and font weight", () => {
  const tokens = themes.map(({ id }) => tokensOf(id));
  for (const name of ["ground", "banner", "heading"])
    expect(new Set(tokens.map((token) => token[name])).size).toBe(themes.length);
  expect(new Set(tokens.map(({ r, weight }) => `${r} ${weight}`)).size).toBe(themes.length);
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

  test("has texts with a contrast of at least 4.5, a focus ring and a main button of at least 3", () => {
    const texts = "text/ground text/surface text/raised muted/ground muted/surface muted/raised";
    const others = "avatar-text/avatar button-text/button accent/raised";
    const shapes = "accent/ground accent/surface button/ground button/surface";
    const below = (pairs: string, least: number) =>
      pairs.split(" ").filter((pair) => {
        const [front, back] = pair.split("/") as [keyof ThemeColors, keyof ThemeColors];
        return !(contrast(colors[front], colors[back]) >= least);
      });
    expect([...below(`${texts} ${others}`, 4.5), ...below(shapes, 3)]).toEqual([]);
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
