import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "theme.css"), "utf8");

const textPairs = `text/ground text/raised text/higher text/picked muted/ground muted/raised muted/higher on-main/main
  error/ground error/raised error/higher warning/raised success/raised success/higher success/picked`;

describe.each(["light", "dark"] as const)("in %s mode", (mode) => {
  const contrastOf = (pair: string) => {
    const [part = "", ground = ""] = pair.split("/");
    return contrast(color(part, mode), color(ground, mode));
  };

  test.each(textPairs.split(/\s+/))("%s has enough contrast for text (WCAG AA)", (pair) => {
    expect(contrastOf(pair)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["switch-on/raised", "muted/higher"])("a switch is seen: %s (WCAG 1.4.11)", (pair) => {
    expect(contrastOf(pair)).toBeGreaterThanOrEqual(3);
  });
});

test("text on paper is readable in both modes", () => {
  for (const text of ["#17181b", "#67645c"]) expect(contrast(text, "#f1ede3")).toBeGreaterThanOrEqual(4.5);
});

function color(name: string, mode: "light" | "dark"): string {
  const found = new RegExp(String.raw`--color-${name}: light-dark\((#\w{6}), (#\w{6})\)`).exec(css);
  const value = found?.[mode === "light" ? 1 : 2];
  if (!value) throw new Error(`no color ${name} in theme.css`);
  return value;
}

/** The contrast ratio of WCAG 2: 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
