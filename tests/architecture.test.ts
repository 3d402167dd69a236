import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";

import { describe, expect, test } from "vitest";

/**
 * Who may lean on whom. This table is the documentation: a feature may import the features named beside it, and nothing else.
 * Pages, routes and layouts may use any feature; nobody imports a page.
 */
const mayUse: Record<string, readonly string[]> = {
  links: ["billing"],
  billing: [],
  sharing: [],
  account: [],
  uploads: [],
  shell: [],
  content: [],
  status: [],
  contact: ["content"],
  avatar: ["uploads"],
  profile: ["avatar", "billing", "links", "sharing", "uploads"],
  cards: ["billing", "links", "sharing", "uploads"],
  analytics: ["cards", "profile"],
  marketing: ["billing", "cards", "profile", "sharing", "shell", "status"],
};

/** Inside a feature only these names: a newcomer knows what a file does before opening it. */
const allowedNames = [
  /^[a-z-]+-page\.tsx$/, // a route with a view
  /^[a-z-]+-route\.ts$/, // a route without one
  /^[a-z-]+-layout\.tsx$/, // what several routes share, and who may see them
  /^rules\.ts$/, // pure
  /^form\.ts$/,
  /^[a-z-]+-form\.ts$/, // what a form or a body may say
  /^data\.server\.ts$/,
  /^[a-z-]+\.server\.ts$/, // reads, writes and answers, split by noun
  /^messages\.ts$/,
  /^[a-z-]+\.tsx$/, // view parts
  /^[a-z-]+\.ts$/, // rules, split by noun
];
const forbiddenNames = /(^|\/)(utils?|helpers?|lib|common|types|hooks|misc|index)(\.tsx?|\/)/;

const root = join(import.meta.dirname, "..");
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const listFiles = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith(".d.ts"))
    .toSorted();

const appFiles = listFiles("app/**/*.{ts,tsx}");
const serverFiles = listFiles("server/**/*.ts");
const sources = [...appFiles, ...serverFiles].filter((file) => !isTest(file));

/** The files of ours that a file imports, from the root of the repository. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.flatMap((specifier) => {
    const path = specifier.replace(/\?\w+$/, "");
    if (path.startsWith("#")) return [path.slice(1)];
    if (path.startsWith(".")) return [posix.join(dirname(file), path)];
    return [];
  });
}

const featureOf = (file: string) => /^app\/features\/([^/]+)\//.exec(file)?.[1];
const isPage = (file: string) => /-(page|layout)\.tsx$|-route\.ts$/.test(file);
const isGenerated = (file: string) => file.includes("+types/");

describe("the house stays in order", () => {
  test("every file is found", () => {
    expect(appFiles.length).toBeGreaterThan(50);
    expect(serverFiles.length).toBeGreaterThan(5);
  });

  test("nobody imports a page, a route or a layout", () => {
    const broken = sources.flatMap((file) =>
      importsOf(file)
        .filter((path) => isPage(path) && !isGenerated(path))
        .map((path) => `${file} -> ${path}`),
    );
    expect(broken).toEqual([]);
  });

  test("features lean on features only along the table", () => {
    const broken = sources
      .filter((file) => featureOf(file) && !isPage(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => featureOf(path) && featureOf(path) !== featureOf(file))
          .filter((path) => !mayUse[featureOf(file) ?? ""]?.includes(featureOf(path) ?? ""))
          .map((path) => `${file} -> ${path}`),
      );
    expect(broken).toEqual([]);
  });

  test("the table has no circles and every feature stands in it", () => {
    const found = new Set(sources.flatMap((file) => featureOf(file) ?? []));
    expect([...found].filter((feature) => !(feature in mayUse))).toEqual([]);
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (mayUse[from] ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
    expect(Object.keys(mayUse).filter((feature) => reaches(feature, feature))).toEqual([]);
  });

  test("services know no feature, the interface kit imports nothing of ours", () => {
    const services = sources.filter((file) => file.startsWith("app/services/"));
    const ui = sources.filter((file) => file.startsWith("app/ui/"));
    expect(services.filter((file) => importsOf(file).some((path) => !path.startsWith("app/services/")))).toEqual([]);
    expect(ui.filter((file) => importsOf(file).some((path) => !path.startsWith("app/ui/")))).toEqual([]);
  });

  test("the product leans on the server nowhere: the server leans on the product", () => {
    const broken = sources.filter(
      (file) => file.startsWith("app/") && importsOf(file).some((path) => path.startsWith("server/")),
    );
    expect(broken).toEqual([]);
  });

  test("files inside a feature have names that say what they are", () => {
    const broken = sources.filter((file) => featureOf(file) && !allowedNames.some((name) => name.test(basename(file))));
    expect(broken).toEqual([]);
    expect([...sources, ...listFiles("tests/**/*.ts")].filter((file) => forbiddenNames.test(file))).toEqual([]);
  });

  test("only the configuration reads the environment", () => {
    const readers = sources.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"));
    expect(readers).toEqual(["app/services/config.server.ts"]);
  });

  test("no file is longer than 300 lines", () => {
    const all = [
      ...sources,
      ...listFiles("{app,server,tests,bench}/**/*.test.{ts,tsx}"),
      ...listFiles("{tests,bench}/**/*.ts"),
      ...listFiles("{app/**/*.css,scripts/**/*.mjs}"),
    ];
    expect(all.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > 301)).toEqual([]);
  });

  test("every route of the table has its file, and every page is in the table", () => {
    const table = readFileSync(join(root, "app/routes.ts"), "utf8");
    const named = [...table.matchAll(/"(features\/[^"]+)"/g)].map((match) => `app/${match[1]}`);
    const pages = sources.filter((file) => featureOf(file) && isPage(file));
    expect(pages.filter((file) => !named.includes(file))).toEqual([]);
    expect(named.filter((file) => !appFiles.includes(relative("", file)))).toEqual([]);
  });
});
