import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { formatCsv } from "#app/services/base/csv.ts";
import { zip } from "#tests/support/fixtures/binary-files.ts";
import type { ZipEntry } from "#tests/support/fixtures/binary-files.ts";

import { linkedInMessages, readLinkedInFile } from "./export-file.server.ts";

const columns =
  "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,Geo Location,Twitter Handles,Websites,Instant Messengers";
const profile = `${columns}\nAda,Lovelace,,,,Mathematician,I write notes.,,,"Zürich, Switzerland",,,\n`;
const positionColumns = "Company Name,Title,Description,Location,Started On,Finished On";

const readText = (text: string) => readLinkedInFile(new TextEncoder().encode(text), text);
const readZip = (entries: ZipEntry[], options = {}) => readLinkedInFile(zip(entries, options), "");

async function readFiles(files: Record<string, string>, folder = "") {
  return readZip(Object.entries(files).map(([name, content]) => ({ name: folder + name, content })));
}

describe("a ZIP file from LinkedIn", () => {
  test("is read with the details of its five files, in a subfolder too", async () => {
    const files = {
      "Connections.csv": "Notes:\nFirst Name,Last Name\nGrace,Hopper\n",
      "Profile.csv": `\uFEFF${columns}\r\nAda,Lovelace,Byron,"12 St James’s Square\nLondon",10 Dec 1815,"Mathematician, ""first""",,,SW1Y,London,[ada],"[PORTFOLIO:https://ada.example/a,b],[COMPANY:https://engines.example]"\r\n`,
      "Profile Summary.csv": 'Profile Summary\n"I write notes.\r\n\r\nAnd programs."\n',
      "Positions.csv": `${positionColumns}\nOld,Clerk,,,Jan 2010,Feb 2021\nEngines,Analyst,"Wrote ""A\nto G""",London,Mar 2020,\nClub,Chair,,,Feb 2019,\n`,
      "Email Addresses.csv":
        "Email Address,Confirmed,Primary,Updated On\nold@a.example,Yes,No,\nada@a.example,Yes,Yes,\n",
      "PhoneNumbers.csv": "Extension,Number,Type\n,+44 1,Mobile\n,+44 2,Work\n",
    };
    const expected = {
      name: "Ada Lovelace",
      headline: 'Mathematician, "first"',
      summary: "I write notes.\n\nAnd programs.",
      address: "12 St James’s Square London",
      postcode: "SW1Y",
      location: "London",
      title: "Analyst",
      company: "Engines",
      email: "ada@a.example",
      phone: "+44 2",
      phoneType: "work",
      websites: [
        { label: "", url: "https://engines.example" },
        { label: "Portfolio", url: "https://ada.example/a,b" },
        { label: "X", url: "https://x.com/ada" },
      ],
    };
    expect(await readFiles(files)).toEqual(expected);
    expect(await readFiles(files, "Basic_LinkedInDataExport_11-28-2026/")).toEqual(expected);
  });

  test("is read without the files, rows and cells that it doesn't have", async () => {
    const empty = { "Positions.csv": `${positionColumns}\n`, "PhoneNumbers.csv": "", "Email Addresses.csv": "\n\n" };
    const read = await readFiles({ "Profile.csv": profile, ...empty });
    expect(read).toEqual(await readText(profile));
    expect(read).toMatchObject({ name: "Ada Lovelace", company: "", title: "", email: "", phone: "", websites: [] });
  });

  test("of two current positions, the one that started last is taken, and none that ended", async () => {
    const read = async (...rows: string[]) =>
      readFiles({ "Profile.csv": profile, "Positions.csv": [positionColumns, ...rows, ""].join("\n") });
    expect(await read("A,a,,,Dec 2019,", "B,b,,,Jan 2020,", "C,c,,,Mar 2021,Apr 2021")).toMatchObject({ company: "B" });
    expect(await read("A,a,,,,", "B,b,,,2020,")).toMatchObject({ company: "B", title: "b" });
    expect(await read("C,c,,,Mar 2021,Apr 2021")).toMatchObject({ company: "", title: "" });
  });

  test.each([
    ["[COMPANY:https://a.example,OTHER:b.example/x]", ["https://a.example", "b.example/x"]],
    ["[BLOG:https://a.example] [COMPANY:https://b.example]", ["https://b.example", "https://a.example"]],
    ["https://a.example", ["https://a.example"]],
    ["[PORTFOLIO:https://a.example,]", ["https://a.example"]],
    ["[],[COMPANY:],,", []],
  ])("has the websites of %s", async (cell, urls) => {
    const read = await readText(`First Name,Last Name,Headline,Websites\nAda,L,,"${cell}"\n`);
    expect(read).toMatchObject({ websites: urls.map((url) => ({ url })) });
  });
});

describe("a file that LinkedIn didn't make", () => {
  test("is refused with the reason", async () => {
    const content = profile;
    const large = profile + "x".repeat(1_000_000);
    const cases: [Uint8Array, string][] = [
      [zip([{ name: "word/document.xml", content: "<w/>" }]), linkedInMessages.noProfile],
      [zip([]), linkedInMessages.noProfile],
      [zip([{ name: "../Profile.csv", content }]), linkedInMessages.noProfile],
      [zip([{ name: "a/../../Profile.csv", content }]), linkedInMessages.noProfile],
      [zip([{ name: "/Profile.csv", content }]), linkedInMessages.noProfile],
      [zip([{ name: "__MACOSX/._Profile.csv", content }]), linkedInMessages.noProfile],
      [zip([{ name: "Profile.csv", content, isEncrypted: true }]), linkedInMessages.encrypted],
      [zip([{ name: "Profile.csv", content: large }]), linkedInMessages.tooLarge],
      [zip([{ name: "Profile.csv", content: large, declaredSize: 10 }]), linkedInMessages.tooLarge],
      [zip([{ name: "Profile.csv", content, declaredSize: 100_000 }]), linkedInMessages.damaged],
      [zip([{ name: "Profile.csv", content }], { repeated: 5_001 }), linkedInMessages.damaged],
      [zip([{ name: "Profile.csv", content }]).subarray(0, -30), linkedInMessages.damaged],
      [Buffer.from("PK\u0003\u0004"), linkedInMessages.damaged],
      [zip([{ name: "Profile.csv", content: "Vorname,Nachname,Slogan\nAda,L,\n" }]), linkedInMessages.columns],
      [zip([{ name: "Profile.csv", content: "" }]), linkedInMessages.columns],
      [zip([{ name: "Profile.csv", content: columns }]), linkedInMessages.empty],
      [Buffer.from("%PDF-1.7\n\0"), linkedInMessages.pdf],
    ];
    for (const [bytes, problem] of cases) expect(await readLinkedInFile(bytes, "")).toEqual({ problem });
  });

  test("is left to others when it is text with other columns", async () => {
    for (const text of ["", "Name,URL\nAda,https://a.example\n", "Vorname,Nachname\nAda,L\n", "BEGIN:VCARD\r\n"])
      expect(await readText(text)).toBeUndefined();
    expect(await readText("First Name,Last Name,URL\nGrace,Hopper,\n")).toEqual({ problem: linkedInMessages.columns });
  });

  test("is read in linear time, however many columns, rows and quotes it has", async () => {
    const many = 200_000;
    const start = "First Name,Last Name,Headline";
    for (const rest of [
      `${",".repeat(many)}${"\nx".repeat(many)}`,
      `\n${'"'.repeat(many)}`,
      `\n${'""a",'.repeat(many)}`,
    ])
      expect(await readText(start + rest)).toHaveProperty("headline");
  });

  test("never throws, whatever a file in the archive holds", async () => {
    const text = fc
      .array(fc.constantFrom('"', ",", "\r", "\n", "[", "]", ":", "First Name", "Headline", "Ada", "\0"))
      .map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.uint8Array(), async (anything, bytes) => {
        const files = { "Profile.csv": profile, "Positions.csv": anything, "Email Addresses.csv": anything };
        expect(await readFiles(files)).toHaveProperty("name", "Ada Lovelace");
        await readText(`${columns}\n${anything}`);
        await readLinkedInFile(Buffer.concat([Buffer.from("PK"), bytes]), "");
      }),
      { numRuns: 200 },
    );
  });
});

test("every cell comes back as it was written, whatever characters it has", async () => {
  const cell = fc.string({ unit: fc.constantFrom(..."ab,;\"' é[:".split("")), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(cell, cell, cell, async (first, last, headline) => {
      const csv = formatCsv([
        ["First Name", "Last Name", "Headline"],
        [`x${first}`, `x${last}`, `x${headline}`],
      ]);
      const name = [`x${first}`, `x${last}`].map((part) => part.trim()).join(" ");
      expect(await readText(csv.slice(1))).toMatchObject({ name, headline: `x${headline}`.trim() });
    }),
  );
});
