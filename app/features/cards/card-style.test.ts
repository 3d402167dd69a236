import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { findTheme, inkColors, themes } from "#app/features/profile/themes.ts";
import { contrast } from "#app/services/base/color-contrast.ts";
import { publicCss } from "#tests/support/fixtures/public-css.ts";

import { accentChoices, defaultDesign, layoutChoices, paperChoices } from "./card-design.ts";
import type { CardDesign } from "./card-design.ts";
import { cardStyle, mailAccent, paperColors } from "./card-style.ts";
import { plainStyle } from "./card-view-model.ts";

const styleOf = (design: Partial<CardDesign>, theme = "default", plan = plans.premium) =>
  cardStyle({ ...defaultDesign, ...design }, { theme, plan });

const ownColors = ["#ffffff", "#000000", "#808080", "#ffff00", "#00ff00", "#0000ff", "#ff00ff", "#123456"];
const accents = [...accentChoices.map(({ id }) => id), ...ownColors];
const papers = paperChoices.map(({ id }) => id);
const combinations = themes.flatMap(({ id: theme }) =>
  papers.flatMap((paper) => accents.map((accent) => ({ theme, paper, accent }))),
);

test("every accent on every paper in every theme is readable everywhere", () => {
  for (const combination of combinations) expectReadable(combination);
});

test("any custom color is readable on any paper in any theme", () => {
  const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
  const theme = fc.constantFrom(...themes.map(({ id }) => id));
  fc.assert(
    fc.property(color, theme, fc.constantFrom(...papers), (accent, id, paper) =>
      expectReadable({ accent, theme: id, paper }),
    ),
  );
});

test("a line in a mail is visible on white and on dark gray in every accent, and gray where the plan has no accents", () => {
  for (const accent of ["", ...accents])
    for (const ground of ["#ffffff", "#1f1f1f"])
      expect(contrast(mailAccent({ ...defaultDesign, accent }, plans.premium), ground), accent).toBeGreaterThanOrEqual(
        3,
      );
  const own = { ...defaultDesign, accent: "#ff00ff" };
  expect(mailAccent(own, plans.free)).toBe(mailAccent(defaultDesign, plans.free));
  expect(mailAccent(own, plans.premium)).toBe("#ff00ff");
});

test.each(["default", "ink"] as const)("texts on the paper %s have a contrast of at least 4.5", (paper) => {
  const { text, muted } = paper === "ink" ? inkColors : findTheme("default").colors;
  for (const back of paperColors[paper])
    for (const front of [text, muted]) expect(contrast(front, back)).toBeGreaterThanOrEqual(4.5);
});

test("the stylesheet has the colors of the light paper, and draws the papers as gradients of two tokens", () => {
  const light = /\.card\[data-theme="default"\] \{([^}]*)\}/.exec(publicCss)?.[1]?.match(/#\w{6}/g);
  expect(light).toEqual(paperColors.default);
  expect(publicCss).toMatch(/\.card \{[^}]*linear-gradient\(150deg, var\(--surface\), var\(--raised\)\)/);
});

describe("the style of a card", () => {
  test("takes the profile's theme by default, paper on ink for the default theme, and a chosen paper in any theme", () => {
    expect(styleOf({})).toEqual(plainStyle);
    expect(styleOf({}, "ocean")).toEqual({ theme: "ocean", paper: undefined, layout: "classic", css: "" });
    expect(styleOf({ paper: "light" }, "ocean")).toMatchObject({ theme: "ocean", paper: "default" });
    expect(styleOf({ paper: "dark" }, "minimal")).toMatchObject({ theme: "minimal", paper: "ink" });
  });

  test("shows the theme and the accent that the plan includes", () => {
    const free = styleOf({ accent: "rose", layout: "cover" }, "royal", plans.free);
    expect(free).toEqual(styleOf({ layout: "cover" }));
    expect(styleOf({ accent: "blue" }, "ocean", plans.free).css).toContain("--brand");
  });

  test("adds rules only for what differs from a classic card", () => {
    for (const { id: layout } of layoutChoices) {
      expect(styleOf({ layout }).css.includes(`.${layout}`)).toBe(layout !== "classic");
      expect(styleOf({ layout, accent: "#3a5f8c" }).css.length).toBeLessThan(900);
    }
  });

  test("leaves print in black on white", () => {
    const { css } = styleOf({ accent: "rose", paper: "dark" }, "minimal");
    expect(css).toMatch(/^@media screen\{.*\}\}$/);
  });
});

type Combination = { accent: string; theme: string; paper: CardDesign["paper"] };

/** Checks the accent as text, the main button's text, and the initials on the accent. */
function expectReadable({ accent, theme, paper }: Combination) {
  const style = styleOf({ accent, paper }, theme);
  const { colors, dark } = style.theme === "ink" ? { colors: inkColors, dark: undefined } : findTheme(style.theme);
  const [page = "", darkPage] = style.css.match(/\.accent\.accent\{[^}]*\}/g) ?? [];
  const own = style.paper && tokensIn(/\.card\.card\{[^}]*\}/.exec(style.css)?.[0]);
  const modes = [{ colors, tokens: tokensIn(page) }, ...(dark ? [{ colors: dark, tokens: tokensIn(darkPage) }] : [])];
  const pairs = modes.flatMap(({ colors: back, tokens }) => [
    ...["accent", "button", "brand"].flatMap((name) =>
      [back.ground, back.surface, back.raised].map((ground) => [tokens[name], ground]),
    ),
    [tokens["button-text"], tokens["button"]],
    [tokens["on-brand"], tokens["brand"]],
  ]);
  if (own) pairs.push([own["on-brand"], own["brand"]]);
  for (const paperColor of style.paper ? paperColors[style.paper] : []) pairs.push([own?.["brand"], paperColor]);
  const unreadable = pairs.filter(([front = "", back = ""]) => !(contrast(front, back) >= 4.5));
  expect(unreadable, `${accent} on ${paper} in ${theme}`).toEqual([]);
}

function tokensIn(rule = ""): Record<string, string> {
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+):(#\w{6})/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}
