import { expect, test } from "vitest";
import { parseAst } from "vite";

import { readSource, sourceFiles } from "#tests/support/sources.ts";

/** For programs, the command line and log files. */
const forPrograms = /^app\/features\/(api|client-api|account\/client|billing\/operator|status\/doctor|[^/]+\/api)\//;
/** The specification's messages, which are compared letter by letter. */
const specified = ["We're sad to see you go!", "You're Pro now!", "This business card doesn't exist or is not public"];

test("texts have typographic apostrophes: ’ instead of '", () => {
  const files = sourceFiles.filter(
    (file) => /^app\/(features|services\/mail|ui)\//.test(file) && !forPrograms.test(file),
  );
  expect(files.length).toBeGreaterThan(800);
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
      if (isText && "value" in node) texts.push(String(node.value).replaceAll("&apos;", "'"));
      if (node.type === "TemplateElement" && "value" in node) texts.push((node.value as { raw: string }).raw);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readSource(file), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return texts.filter((text) => /\p{L}'\p{L}/u.test(text) && !specified.some((one) => text.includes(one)));
}
