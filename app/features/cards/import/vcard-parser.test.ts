import * as fc from "fast-check";
import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { toUncheckedCard } from "#app/features/cards/card-form.ts";
import { parseCard } from "#app/features/cards/schema.ts";
import { readContactFile } from "./vcard-import.server.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (...rows: string[]) => ["BEGIN:VCARD", ...rows, "END:VCARD", ""].join("\r\n");

test.each([
  ["nothing", "", "This file is empty"],
  ["blanks", "\r\n \r\n", "This file is empty"],
  ["a page", "<!doctype html><h1>BEGIN:VCARD</h1>", "This is neither a contact file nor LinkedIn data"],
  ["a picture", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), "This isn’t a text file"],
  ["NULs in a contact", lines("FN:Ada\0Eve"), "This isn’t a text file"],
  ["one that is cut off", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nTEL:+44 20", "This contact file is incomplete"],
  ["an empty contact", lines("VERSION:3.0", "REV:20260101T000000Z"), "This contact has no details"],
  ["ten megabytes", "x".repeat(10_000_000), "This file is larger than 1 MB"],
  ["a calendar", "BEGIN:VCALENDAR\r\nEND:VCALENDAR", "This is neither a contact file nor LinkedIn data"],
])("an invalid file reports its problem: %s", (_, file, problem) => {
  const answer = readContactFile(typeof file === "string" ? encode(file) : file);
  expect("problem" in answer && answer.problem).toContain(problem);
});

test("unescapes properties that the parser doesn't know", () => {
  const answer = readContactFile(encode(lines("FN:Ada", "X-PRONOUNS:she\\, her \\\\ they\\; them")));
  expect(answer).toMatchObject({ contacts: [{ values: { pronouns: "she, her \\ they; them" } }] });
});

const hex = (digits: string) => Buffer.from(digits, "hex").toString("latin1");
/** The title and what was left out, of a contact file in which each character is one byte. */
const titleOf = (file: string) => {
  const answer = readContactFile(new Uint8Array(Buffer.from(file, "latin1")));
  if ("problem" in answer) return answer.problem;
  return answer.contacts.map(({ values, leftOut }) => [values.card_name, ...leftOut].join(" | ")).join();
};
const unreadable = "1 | name (unreadable characters)";

// The bytes were encoded by Python's codecs.
test.each([
  ["windows-1251", `FN;LANGUAGE=ru;CHARSET=windows-1251:${hex("c0edede020cfe5f2f0eee2e0")}`, "Анна Петрова"],
  ["Shift_JIS with a backslash in a character", `FN;CHARSET=SHIFT_JIS:${hex("8e52936320835c91be9859")}`, "山田 ソ太郎"],
  ["Microsoft's name of Shift_JIS", `FN;CHARSET=CP932:${hex("8e52936320835c91be9859")}`, "山田 ソ太郎"],
  ["GBK", `FN;CHARSET="GBK":${hex("cdf5d0a1c3f7")}`, "王小明"],
  ["EUC-KR", `FN;CHARSET=EUC-KR:${hex("b1e8c3b6bcf6")}`, "김철수"],
  ["ISO-2022-JP", `FN;CHARSET=ISO-2022-JP:${hex("1b24423b3345441b2842201b244242404f3a1b2842")}`, "山田 太郎"],
  ["ISO-8859-2", `FN;CHARSET=ISO-8859-2:${hex("4a69f8ed20a9bb6173746efd")}`, "Jiří Šťastný"],
  ["ISO-8859-15", `FN;CHARSET=ISO-8859-15:${hex("5a6fe920313020a4")}`, "Zoé 10 €"],
  ["UTF-8 under a wrong name", `FN;CHARSET=US-ASCII:${hex("4ac3b67267")}`, "Jörg"],
  ["a Latin-1 line beside a UTF-8 one", `ROLE:${hex("c3a9")}\r\nFN:${hex("4af67267")}`, "Jörg"],
  ["quoted-printable Latin-1 without a charset", "FN;quoted-printable:Max Ma=DF", "Max Maß"],
  ["quoted-printable GBK", "FN;CHARSET=GBK;ENCODING=QUOTED-PRINTABLE:=CD=F5=D0=A1=C3=F7", "王小明"],
  ["base64", "FN;CHARSET=UTF-8;ENCODING=BASE64:546L5bCP5piO", "王小明"],
  ["base64 of 3.0 over two lines", "FN;ENCODING=b:546L5bCP\r\n 5piO", "王小明"],
  ["Cyrillic without a charset", `FN:${hex("c0edede020cfe5f2f0eee2e0")}`, unreadable],
  ["Shift_JIS without a charset", "FN;ENCODING=QUOTED-PRINTABLE:=8ER=93c=91=BE=98Y", unreadable],
  ["an unknown charset", `FN;CHARSET=X-OWN:${hex("c0edede0")}`, unreadable],
  ["bytes that the charset doesn't have", `FN;CHARSET=Shift_JIS:${hex("8e52ff")}`, unreadable],
  ["characters that another program lost", `FN:${hex("4aefbfbd7267")}`, unreadable],
])("reads text or says that it can't: %s", (_, line, expected) => {
  expect(titleOf(lines(line, "TEL:1"))).toBe(expected);
});

test("says that a contact has nothing but unreadable text", () => {
  expect(titleOf(lines(`FN:${hex("c0edede0")}`))).toContain("as UTF-8");
});

const quoted = "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:";
test.each([
  ["between the bytes of a character", "=D0=92=D0=\r\n=BB", "Вл"],
  ["and folded by a space", "=D0=92=D0=\r\n =BB=20=D0=92=\r\n =D0=92", "Вл ВВ"],
  ["and folded by a tab", "Wladimir=20Ma=\r\n\tier", "Wladimir Maier"],
  ["and folded within a character, beside a space", "Caf=C3=\r\n =A9 Ada", "Café Ada"],
  ["before a space of the text", "Jos=C3=A9 Luis=\r\n Garc=C3=ADa", "José Luis García"],
  ["with a space behind it", "=D0=92=D0= \r\n=BB", "Вл"],
  ["before the end of the contact", "Ada=\r\nEND:VCARD", "Ada"],
])("joins quoted-printable text that is broken %s", (_, value, expected) => {
  expect(titleOf(lines(quoted + value))).toBe(expected);
});

test.each([
  ["ends in CR only", lines("FN:Ada").replaceAll("\n", ""), "Ada"],
  ["ends in CR CR LF", lines(`${quoted}A=`, "da").replaceAll("\n", "\r\n"), "Ada"],
  ["continues after a blank line", lines("FN:Zsuzsa", "", "Szabo-Kiss", "N:;"), "Zsuzsa Szabo-Kiss"],
  ["is folded within a character", lines(`FN:Kov${hex("c3")}`, ` ${hex("a1")}cs`), "Kovács"],
])("reads a line that %s", (_, file, expected) => {
  expect(titleOf(file)).toBe(expected);
});

const many = (line: string) => Array<string>(190).fill(line);

test("a malicious file is read or rejected in linear time", async () => {
  const files = [
    lines(`FN:${"a\r\n ".repeat(240_000)}`, "TEL:1"),
    "BEGIN:VCARD\r\n".repeat(70_000),
    "BEGIN:VCARD\nEND:VCARD\n".repeat(45_000),
    lines("FN:Ada", ...many(`ADR:${";".repeat(4_900)}`)),
    lines("FN:Ada", ...many(`TEL${";A=B".repeat(1_200)}:1`)),
    lines("FN:Ada", ...many(`TEL;TYPE=${'"a",'.repeat(1_200)}:1`)),
    lines("FN:Ada", ...many(`N:${"\\".repeat(4_900)}`)),
    lines(`FN:a${"\u0301".repeat(2_000)}`, ...many(`TEL:1${"\u0301".repeat(2_000)}`)),
    lines("FN:Ada", `NOTE;QUOTED-PRINTABLE:${"=41=\r\n".repeat(160_000)}`),
    lines("FN:Ada", "\n".repeat(300_000)),
  ].map((file) => encode(file).slice(0, 300_000));
  expect(await timeInScans(() => files.map(readContactFile), 25)).toBeLessThan(25);
});

test("reading any content never fails, and the form accepts the result", () => {
  const names = "FN N TEL EMAIL URL ADR ORG TITLE item1.URL item1.X-ABLabel __proto__ constructor X-SOCIALPROFILE";
  const parameters =
    ' ;TYPE=work ;HOME ;TYPE="a,b" ;VALUE=uri ;VALUE=date ;ENCODING=QUOTED-PRINTABLE ;__proto__=x ;CHARSET=x;QUOTED-PRINTABLE ;= ;PREF=1';
  const property = fc.constantFrom(...names.split(" "));
  const parameter = fc.constantFrom(...parameters.split(" "));
  const value = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.webUrl(),
    fc.emailAddress(),
    fc.constantFrom(";;;;;;", "\\,\\;\\n\\", "=C3=A9=", "javascript:alert(1)", "a".repeat(3_000), "tel:+1;ext=2"),
  );
  const line = fc.tuple(property, parameter, value).map(([name, kind, content]) => `${name}${kind}:${content}`);
  const file = fc.oneof(
    fc.array(line, { maxLength: 20 }).map((rows) => lines("VERSION:3.0", ...rows)),
    fc.array(line, { maxLength: 20 }).map((rows) => lines("VERSION:4.0", ...rows)),
    fc.string({ unit: "binary", maxLength: 400 }).map((content) => `BEGIN:VCARD\n${content}\nEND:VCARD`),
  );
  fc.assert(
    fc.property(file, (content) => {
      const answer = readContactFile(encode(content.replaceAll("\0", "")));
      if ("problem" in answer) return;
      for (const { values } of answer.contacts) expect(parseCard(toUncheckedCard(values))).toHaveProperty("change");
    }),
    { numRuns: 150 },
  );
  expect(Object.prototype).not.toHaveProperty("x");
});
