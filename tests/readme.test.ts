import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { settings } from "#app/services/config/config.server.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README is true", () => {
  test("its table of settings is the one in the code", () => {
    const rows = settings.map(({ name, default: standard, meaning }) => `| \`${name}\` | ${standard} | ${meaning} |`);
    const table = ["| setting | default | meaning |", "|---|---|---|", ...rows].join("\n");
    const shown = /<!-- settings:.*-->\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme)?.[1];
    expect(shown).toBe(table);
  });

  test("every file and folder it names is there", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? "");
    const folders = [...readme.matchAll(/^((?:app|server|migrations|tests|bench|docs)\/\S*)/gm)].map(
      (match) => match[1] ?? "",
    );
    const missing = [...links, ...folders].filter((path) => !path.startsWith("http") && !existsSync(join(root, path)));
    expect(folders.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  test("every command it names is one that npm knows", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|dev|check|bench)\b/g)].map((match) => match[1] ?? "");
    expect(new Set(named)).toEqual(new Set(["start", "test", "dev", "check", "bench"]));
    expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
  });
});
