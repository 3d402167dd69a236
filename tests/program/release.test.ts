import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";

import { expect, test } from "vitest";
import { parseAst } from "vite";

const root = join(import.meta.dirname, "../..");

/** Modules that the built server names, but only browsers load. */
const browserOnly = ["tesseract.js"];

/** The modules that a file imports: "zod", "node:fs", "./main.js". */
function listModules(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, source } = node as { type?: string; source?: { value?: unknown } | null };
    if (/^(?:Import|Export)/.test(type ?? "") && typeof source?.value === "string") found.push(source.value);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readFileSync(file, "utf8")));
  return found;
}

test("the built server imports only packages of a production installation", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const modules = globSync(join(root, "build/server/**/*.js")).flatMap(listModules);
  const names = modules
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  expect(new Set(names).size).toBeGreaterThan(30);
  expect([...new Set(names)].filter((name) => !(name in dependencies)).toSorted()).toEqual(browserOnly);
});
