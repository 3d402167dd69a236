import { expect, test } from "vitest";
import { parseAst } from "vite";

import { featureOf, readSource, sourceFiles } from "#tests/support/sources.ts";

/** Features whose texts are checked. A feature that isn't here still has straight apostrophes; the list may only become longer. */
const checked = ["account", "admin", "analytics", "billing", "content", "marketing", "shell", "start"];
/** For programs and the command line. */
const forPrograms = /^app\/features\/(account\/client|billing\/operator)\//;
/** The specification's messages, which are compared letter by letter. */
const specified = ["We're sad to see you go!", "You're Pro now!"];

test("texts have typographic apostrophes: ’ instead of '", () => {
  const files = sourceFiles.filter((file) => checked.includes(featureOf(file) ?? "") && !forPrograms.test(file));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => listTexts(file).map((text) => `${file}: ${text.trim().slice(0, 80)}`));
  expect(found).toEqual([]);
});

/** Strings, templates and JSX texts with an apostrophe between letters. */
function listTexts(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node) {
      const isText = node.type === "JSXText" || (node.type === "Literal" && "value" in node);
      if (isText && "value" in node) texts.push(String(node.value));
      if (node.type === "TemplateElement" && "value" in node) texts.push((node.value as { raw: string }).raw);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readSource(file), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return texts.filter((text) => /\p{L}'\p{L}/u.test(text) && !specified.some((one) => text.includes(one)));
}
