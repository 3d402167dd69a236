import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";

import { ink, themeOf, themes } from "./themes.ts";
import type { ThemeColors } from "./themes.ts";

const css = readFileSync(new URL("../../ui/public.css", import.meta.url), "utf8");
const palettes = [{ id: "ink", colors: ink, banner: undefined }, ...themes];

test("three themes are free, all six come with Premium", () => {
  expect(themes.map(({ id }) => id)).toEqual(["default", "ocean", "minimal", "sunset", "forest", "royal"]);
  const free = themes.filter(({ isPremium }) => !isPremium).map(({ id }) => id);
  expect(free).toEqual(["default", "ocean", "minimal"]);
  expect(plans.free.themes.toSorted()).toEqual(free.toSorted());
  expect(plans.premium.themes.toSorted()).toEqual(themes.map(({ id }) => id).toSorted());
});

test("a theme nobody knows is paper", () => {
  expect(themeOf("royal").name).toBe("Royal");
  expect(themeOf("'><script>").id).toBe("default");
  expect(themeOf("").id).toBe("default");
});

test("no two themes share a ground, a banner or an accent; each has a heading face", () => {
  const tokens = themes.map(({ id }) => tokensOf(id));
  for (const name of ["ground", "banner", "heading"]) {
    expect(new Set(tokens.map((token) => token[name])).size).toBe(themes.length);
  }
});

describe.each(palettes)("$id", ({ id, colors, banner }) => {
  const tokens = tokensOf(id);

  test("has in the stylesheet the colours of the table, and no others", () => {
    const { banner: gradient, heading, ...rest } = tokens;
    expect(rest).toEqual(colors);
    expect(heading).toMatch(/serif$/);
    expect(gradient?.match(/#\w{6}/g)).toEqual(banner);
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
  const paper = /\.paper \{[^}]*linear-gradient\(([^)]*)\)/.exec(css)?.[1]?.match(/#\w{6}/g) ?? [];
  expect(paper).toEqual(["#fbf9f4", "#f1ede3"]);
  for (const back of paper) {
    expect(contrast(themes[0].colors.text, back)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(themes[0].colors.muted, back)).toBeGreaterThanOrEqual(4.5);
  }
});

/** The custom properties a theme has in public.css. */
function tokensOf(id: string): Record<string, string> {
  const block = new RegExp(String.raw`\[data-theme="${id}"\][^{]*\{([^}]*)\}`).exec(css)?.[1] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
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
