import * as fc from "fast-check";
import { expect, test } from "vitest";

import { contentDisposition, safeFileName } from "./file-name.ts";

test("contains the person's name in ASCII and in UTF-8", () => {
  expect(named("Zoë O'Neil")).toEqual({
    ascii: "Zoe ONeil.vcf",
    utf8: "Zoë ONeil.vcf",
    header: `inline; filename="Zoe ONeil.vcf"; filename*=UTF-8''Zo%C3%AB%20ONeil.vcf`,
  });
  expect(named(`O'Neil; "Ann", PhD`).utf8).toBe("ONeil Ann PhD.vcf");
  expect(named("Ada 山田 L.")).toMatchObject({ ascii: "Ada L.vcf", utf8: "Ada 山田 L.vcf" });
  expect(named("山田 太郎")).toMatchObject({ ascii: "contact.vcf", utf8: "山田 太郎.vcf" });
  expect(named("محمد\u200cی").utf8).toBe("محمد\u200cی.vcf");
  expect(named("👩‍👩‍👧‍👦").utf8).toBe("👩‍👩‍👧‍👦.vcf");
});

test.each([
  ["../../etc/passwd", "etc passwd"],
  ["C:\\Ada", "C Ada"],
  [".. .bashrc", "bashrc"],
  ["-rf", "rf"],
  ["con", "_con"],
  ["LPT1.x", "_LPT1.x"],
  ["Conrad", "Conrad"],
  ["Ada \u202efdp.exe", "Ada fdp.exe"],
  ["m".repeat(60), "m".repeat(60)],
  ["👩‍👩‍👧‍👦".repeat(60), "👩‍👩‍👧‍👦".repeat(4)],
])("never leaves its folder, is hidden, names a device, fakes a file type or is long: %j", (name, fileName) => {
  expect(named(name).utf8).toBe(`${fileName}.vcf`);
});

test("falls back to contact.vcf when no character is usable", () => {
  for (const name of ["", " ", "...", "\0\r\n", '"', "///", "\u200d", "\u202e", "\u0301".repeat(500)])
    expect(named(name)).toMatchObject({ ascii: "contact.vcf", utf8: "contact.vcf" });
});

test("makes a valid header and a valid file name from any text", () => {
  const special = fc.constantFrom(" ", ".", "/", "%41", "\r\n", '"', "'", "\ud83d", "名");
  const unit = fc.oneof(fc.string({ unit: "binary", maxLength: 3 }), special);
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 150 }), (units) => {
      const { ascii, utf8, header } = named(units.join(""));
      expect(new Headers({ "content-disposition": header }).get("content-disposition")).toBe(header);
      expect(header).toMatch(
        /^inline; filename="[A-Za-z0-9 ._()+-]+\.vcf"; filename\*=UTF-8''(?:[\w.~-]|%[\dA-F]{2})+$/,
      );
      expect(decodeURIComponent(header.split("''")[1] ?? "")).toBe(utf8);
      for (const name of [ascii, utf8]) {
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}/\\:*?"'`<>|;,%\u202a-\u202e\u2066-\u2069]|^[. -]|[. ]\.vcf$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(125);
      }
    }),
  );
});

/** A contact file's name, and what its header says of it. */
function named(name: string) {
  const utf8 = safeFileName(name, { extension: "vcf", otherwise: "contact" });
  const header = contentDisposition("inline", utf8, "contact");
  return { ascii: /filename="([^"]*)"/.exec(header)?.[1] ?? "", utf8, header };
}
