import { basename } from "node:path";

import { describe, expect, test } from "vitest";
import { parseAst } from "vite";

import { featureOf, isTest, listFiles, readSource, sourceFiles } from "#tests/support/sources.ts";

/**
 * The last word of a file's name says what the file is. The lists are closed: use one of these words, or add yours where it is the
 * established term.
 */
const endings = {
  /** Routes: with a view, around other routes, without a view. */
  route: { suffix: ".tsx", words: ["page", "layout"] },
  views: {
    suffix: ".tsx",
    words: words(`
      action address backdrop badges banner bar brand button card cards carousel chart choice comparison dialog editor elements field
      footer form forms frame header image item list menu notice panel panels preview row rows sample schedule section sections
      shell showcase slide status style table tabs theme view`),
  },
  /** Runs on the server alone. `data` reads and writes rows, and takes `db` first; `feature` declares what the process does for it. */
  server: {
    suffix: ".server.ts",
    words: words(`
      action card connection content counter data destination destinations detect doc document docx drawing feature file files form function functions handler health images image import installation
      links mail mailbox page parts pass pdf preview profile quota report request reserve resource response row rows sample save setup sheet shell subjects
      svg sweep tasks text texts upload url write checks`),
  },
  /** Both sides. `rules` are pure, `schema` parses what comes from outside, `messages` are texts that users see, `state` is a form's. */
  shared: {
    suffix: ".ts",
    words: words(`
      actions brands card client code connection content crop data design destination drawing drawings entitlement examples facts fields file files filter form frames head json labels links loops mails
      markdown marks messages model name offer parser personas properties protections qr read result route rules schedule schema script scrollbar
      showcase signature sitemap square state style subject text themes time url urls vcard worker`),
  },
} satisfies Record<string, { suffix: string; words: string[] }>;

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

/** "data.server.ts" of "app/features/cards/list/list-data.server.ts". */
function endingOf(file: string, suffixes: string[]): string {
  const suffix = suffixes.filter((one) => file.endsWith(one)).toSorted((a, b) => b.length - a.length)[0] ?? "";
  return `${basename(file, suffix).split("-").at(-1)}${suffix}`;
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
  test("end in a word from the lists, which hold no other", () => {
    const suffixes = Object.values(endings).map(({ suffix }) => suffix);
    const listed = Object.values(endings).flatMap((list) => list.words.map((word) => `${word}${list.suffix}`));
    const used = new Map(sourceFiles.filter((file) => featureOf(file)).map((file) => [endingOf(file, suffixes), file]));
    expect([...used].filter(([ending]) => !listed.includes(ending))).toEqual([]);
    expect(listed.filter((ending) => !used.has(ending))).toEqual([]);
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
