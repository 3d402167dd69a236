import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { settings } from "#app/services/config/settings.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("docs/settings.md lists the settings of the code", () => {
  const rows = settings.flatMap(({ env, default: standard, without, off, doc }) =>
    doc ? `| \`${env}\` | ${standard ? `\`${standard}\`` : (without ?? off ?? "none")} | ${doc} |` : [],
  );
  const table = ["| setting | default | meaning |", "|---|---|---|", ...rows].join("\n");
  const listed = readFileSync(join(root, "docs/settings.md"), "utf8");
  expect(/<!-- settings:.*-->\n([\s\S]*?)\n<!-- \/settings -->/.exec(listed)?.[1]).toBe(table);
});

describe("the README is true", () => {
  test("the settings it names exist", () => {
    const named = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(5);
    expect(settings.map(({ env }) => env)).toEqual(expect.arrayContaining(named));
  });

  test("every file and folder it names is there", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)(?:#[\w-]+)?\)/g)].map((match) => match[1] ?? "");
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
