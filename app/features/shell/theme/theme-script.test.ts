import { expect, test } from "vitest";

import { themeScript } from "./theme-script.ts";

test("ends neither its script element nor starts a comment", () => {
  expect(themeScript()).not.toMatch(/<\/script|<!--/i);
});

test("is complete: it names nothing that the page doesn't have", () => {
  expect(themeScript()).toMatch(/^\(function enhanceThemes\(/);
  expect(themeScript()).toContain("function applyTheme(");
});
