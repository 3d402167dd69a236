import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findChromium } from "./chromium.ts";

function pathWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "meishi-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const program of programs) writeFileSync(join(folder, program), "");
  return folder;
}

test("tests run in the headless shell where it is installed, otherwise in the whole browser", () => {
  const shell = pathWith("chromium-headless-shell");
  const browser = pathWith("chromium");
  expect(findChromium(`${browser}:${shell}`)).toBe(join(shell, "chromium-headless-shell"));
  expect(findChromium(`${browser}:${shell}`, { isWhole: true })).toBe(join(browser, "chromium"));
  expect(findChromium(`/nowhere:${browser}`)).toBe(join(browser, "chromium"));
  expect(findChromium(pathWith("google-chrome"))).toMatch(/google-chrome$/);
});

test("a machine without Chromium shows what to install", () => {
  expect(() => findChromium(pathWith())).toThrow("sudo apt-get install chromium");
  expect(() => findChromium(pathWith("chromium-headless-shell"), { isWhole: true })).toThrow("No chromium");
});
