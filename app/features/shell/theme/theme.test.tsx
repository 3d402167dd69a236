import { readFileSync } from "node:fs";

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { backgroundColors, ThemeMeta } from "./theme.tsx";

const css = readFileSync(new URL("../../../ui/styles/theme.css", import.meta.url), "utf8");

test("a phone's browser bars have the page's background color", () => {
  expect(css).toContain(`--color-ground: light-dark(${backgroundColors.light}, ${backgroundColors.dark})`);
  expect(renderToStaticMarkup(<ThemeMeta theme="light" />)).toContain(
    `name="theme-color" content="${backgroundColors.light}"`,
  );
  expect(renderToStaticMarkup(<ThemeMeta theme="dark" />)).toContain(
    `name="theme-color" content="${backgroundColors.dark}"`,
  );
});

test("the system theme names both colors and lets the device choose", () => {
  const html = renderToStaticMarkup(<ThemeMeta theme="system" />);
  expect(html).toContain('name="color-scheme" content="light dark"');
  for (const mode of ["light", "dark"] as const)
    expect(html).toContain(`media="(prefers-color-scheme: ${mode})" content="${backgroundColors[mode]}"`);
});
