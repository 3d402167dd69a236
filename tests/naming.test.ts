import { basename } from "node:path";

import { describe, expect, test } from "vitest";
import { parseAst } from "vite";

import { featureOf, isTest, listFiles, readSource, sourceFiles } from "#tests/support/sources.ts";

/**
 * The last word of a file's name in a feature. Most files are of one of these kinds. Where none fits, it is the established term for what
 * the file is about; a term that more than five files share is a kind, and is added here.
 */
const kinds = {
  /** `page` and `layout` are routes with a view, `route` is one without. `script` runs on a page without React, `client` beside one. */
  routes: ["page", "layout", "route", "script", "client"],
  views: words(`
    button card dialog field form image list notice panel panels preview section status style view`),
  /** On the server alone. `data` reads and writes rows, and takes `db` first; `feature` declares what the process does for it. */
  server: words("action checks data feature handler report request resource response row tasks"),
  /** `rules` are pure, `schema` parses what comes from outside, `messages` are texts that users see, `state` is a form's. */
  shared: words("destination drawing file files links mails messages rules schema state text"),
};

const forbiddenNames = /(^|\/)(utils?|helpers?|lib|common|types|hooks|misc|index)(\.tsx?|\/)/;

/** Words that once were names here, and the established terms. Names are split at capitals, hyphens, dots and underscores. */
const retired = `
  answered: response; asks: query parameter, request; colour: color; figures: metrics, measurements; furnish: create; gives: return, create;
  hear: subscribe; heard: receive; hearing: subscribe; hears: receive; keeper: store; keeps: store, cache; member: user; members: users;
  mend: fix; nobody: none, no one; plate: background, avatar; says: report, message; sealed: signed; sealer: signer; settle: commit; shelf: cache;
  shelves: caches; signs: characters; somebody: visitor, user, owner; stamp: form token; stretch: incident; tell: report, publish;
  telling: publish; tells: report, publish; tidy: maintenance; turns: queue; whoever: visitor, user, owner
`;
const retiredWords = new Map(
  [...retired.matchAll(/(\w+): ([^;\n]+)/g)].map(([, word = "", term = ""]) => [word, term]),
);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

function splitName(name: string): string[] {
  return name
    .replace(/\.(server|slow|test|tsx?|mjs)\b/g, "")
    .split(/(?=[A-Z])|[-_./]/)
    .map((word) => word.toLowerCase());
}

function findRetired(name: string): string[] {
  return splitName(name).filter((word) => retiredWords.has(word));
}

/** Every identifier of a file: names, members, parameters, types. Not strings, comments and JSX attributes. */
function listIdentifiers(file: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "Identifier" && "name" in node) names.add(String(node.name));
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readSource(file), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return names;
}

describe("file names", () => {
  test("end in a kind of file, or in a word that few share", () => {
    const files = sourceFiles.filter((file) => featureOf(file));
    const shared = Map.groupBy(files, (file) => splitName(basename(file)).at(-1));
    const common = [...shared].filter(([, ofKind]) => ofKind.length > 5).map(([word]) => word);
    expect(common.toSorted()).toEqual(Object.values(kinds).flat().toSorted());
  });

  test("are never a place for everything", () => {
    expect(listFiles("{app,server,tests,bench}/**/*").filter((file) => forbiddenNames.test(file))).toEqual([]);
  });

  test("put the journeys of a feature in a folder with its name, and those of all requests in `requests`", () => {
    const features = new Set([...sourceFiles.map((file) => featureOf(file)), "requests"]);
    const journeys = listFiles("tests/journeys/**/*");
    expect(journeys.filter((file) => !features.has(file.split("/")[2] ?? ""))).toEqual([]);
  });

  test("hold no retired word", () => {
    const files = listFiles("{app,server,tests,bench,scripts}/**/*.{ts,tsx,mjs,css}");
    expect(files.filter((file) => findRetired(file).length > 0)).toEqual([]);
  });
});

describe("identifiers", () => {
  test("hold no retired word", () => {
    const files = [...sourceFiles, ...listFiles("{app,server,tests,bench}/**/*.ts").filter(isSupportOrTest)];
    const found = files.flatMap((file) =>
      [...listIdentifiers(file)].flatMap((name) =>
        findRetired(name).map((word) => `${file}: ${name} (say ${retiredWords.get(word)})`),
      ),
    );
    expect(found).toEqual([]);
    expect(findRetired("mailKeeper")).toEqual(["keeper"]);
  });
});

function isSupportOrTest(file: string): boolean {
  return isTest(file) || /^(tests|bench)\//.test(file);
}
