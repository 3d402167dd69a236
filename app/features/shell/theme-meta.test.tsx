import { readFileSync } from "node:fs";

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { grounds, ThemeMeta } from "./theme-meta.tsx";

const css = readFileSync(new URL("../../ui/theme.css", import.meta.url), "utf8");

test("the frame that a phone draws has the colour of the page's ground", () => {
  expect(css).toContain(`--color-ground: light-dark(${grounds.light}, ${grounds.dark})`);
  expect(renderToStaticMarkup(<ThemeMeta theme="light" />)).toContain(`name="theme-color" content="${grounds.light}"`);
  expect(renderToStaticMarkup(<ThemeMeta theme="dark" />)).toContain(`name="theme-color" content="${grounds.dark}"`);
});

test("who leaves it to the device is given both colours, and the device chooses", () => {
  const html = renderToStaticMarkup(<ThemeMeta theme="system" />);
  expect(html).toContain('name="color-scheme" content="light dark"');
  for (const mode of ["light", "dark"] as const)
    expect(html).toContain(`media="(prefers-color-scheme: ${mode})" content="${grounds[mode]}"`);
});
