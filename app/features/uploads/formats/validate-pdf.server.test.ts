import { deflateSync } from "node:zlib";

import { expect, test } from "vitest";

import { longestBlock } from "#tests/support/measurements.ts";
import { pdf } from "#tests/support/app/uploads.ts";

import { isPassivePdf } from "./validate-pdf.server.ts";

const script = "<</S/JavaScript/JS(app.alert\\(1\\))>>";

const hexScript = Buffer.from(Buffer.from(`7 0 ${script}`).toString("hex"));
const tooLarge = deflateSync(Buffer.alloc(4_100_000));
const hex = "/Filter/ASCIIHexDecode";
const twoFilters = "/FlateDecode/ASCIIHexDecode";

/** Dictionaries of object streams that readers unpack to a script. */
const hiddenScripts: [what: string, dictionary: string][] = [
  ["objects in hexadecimal", `/Type/ObjStm/N 1/First 4${hex}`],
  ["an escaped name of an object stream", `/Type/ObjStm/N 1/F#69rst 4${hex}`],
  ["an object stream with a long dictionary", `/Type/ObjStm/N 1/First 4${hex}/X(${"x".repeat(2_100)})`],
  ["an object stream with objects in a string", `/N 1/First 4${hex}/X(1 0 obj<<% )`],
  ["an object stream with objects in a hexadecimal string", `/N 1/First 4${hex}/X<1 0 obj<</Y<>`],
  ["an object stream with objects in a comment", `/N 1/First 4${hex}% 1 0 obj<<\n`],
  ["an object stream with a string that ends with an escape", `/X(\\\\)/N 1/First 4${hex}/Y(\\)>>)`],
  ["an object stream in a nested dictionary's neighborhood", `/X<</Y[<<>>]>>/N 1/First 4${hex}`],
];

test.each([
  ["an empty document", pdf()],
  ["a compressed page", pdf("", [stream("<</Filter/FlateDecode>>", deflateSync("BT (Ada) Tj ET"))])],
  ["objects in a compressed stream", pdf("", [objectStream("<</Type/Page>>")])],
  ["a filter in an array", pdf("", [hiddenScript("/N 1/First 4/Filter[/FlateDecode]", deflateSync("7 0 <<>>"))])],
  ["the word stream in a page", pdf("", [stream("<<>>", Buffer.from("BT (obj, stream /First) Tj ET"))])],
  ["an image of more than 4 MB", pdf("", [stream("<</Subtype/Image/Filter/FlateDecode>>", tooLarge)])],
  ["a photo", pdf("", [stream("<</Subtype/Image/Filter/DCTDecode>>", Buffer.from([0xff, 0xd8, 0xff]))])],
  ["a cross-reference stream", withCrossReferenceStream()],
  ["names that only start like active ones", pdf("", ["<</JSObject 1/Launched 2/XFAmily 3>>"])],
])("a PDF that browsers may display has %s", async (_, bytes) => {
  expect(await isPassivePdf(bytes)).toBe(true);
});

test.each([
  ["a script", pdf("", [script])],
  ["a script whose name is escaped", pdf("", ["<</S/J#61va#53cript/J#53 5 0 R>>"])],
  ["a script in a name tree", pdf("", ["<</Names<</JavaScript 4 0 R>>>>"])],
  ["a script in an object stream", pdf("", [objectStream(script)])],
  ["a script in a stream that hides what it is", pdf("", [stream("<</N 1/First 4>>", deflateSync(`7 0 ${script}`))])],
  ["objects that can't be unpacked", pdf("", [stream("<</N 1/First 4/Filter/LZWDecode>>", Buffer.from("x"))])],
  ["objects behind two filters", pdf("", [hiddenScript(`/N 1/First 4/Filter[${twoFilters}]`, deflateSync(hexScript))])],
  ["objects behind a decoy on the line of the keyword", pdf("", [decoy()])],
  ["a dictionary that doesn't end", pdf("", ["<</N 1/First 4/X("])],
  ["very many streams", pdf("", Array<Buffer>(2_001).fill(stream("<<>>", Buffer.from("q Q"))))],
  ["twenty images of more than 4 MB", pdf("", Array<Buffer>(20).fill(stream("<</Filter/FlateDecode>>", tooLarge)))],
  ["a program to start", pdf("", ["<</S/Launch/F(cmd.exe)>>"])],
  ["an embedded file", pdf("", ["<</Type/Filespec/EF<</F 4 0 R>>>>", "<</Type/EmbeddedFile>>"])],
  ["rich media", pdf("", ["<</Subtype/RichMedia>>"])],
  ["an XFA form", pdf("", ["<</AcroForm<</XFA 4 0 R>>>>"])],
  ["encryption", pdf("", ["<</Encrypt 4 0 R>>"])],
  ["a script across the border of two windows", pdf("x".repeat(131_072 - 30), [script])],
  ["no cross references", Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n")],
  ["cross references behind its end", withReferencesAt(99_999)],
  ["cross references where there are none", withReferencesAt(3)],
])("a PDF that is only served as a download has %s", async (_, bytes) => {
  expect(await isPassivePdf(bytes)).toBe(false);
});

test.each(hiddenScripts)("serves a PDF with %s only as a download", async (_, dictionary) => {
  expect(await isPassivePdf(pdf("", [hiddenScript(dictionary)]))).toBe(false);
});

test("inspects the worst PDFs without holding the event loop", async () => {
  const bomb = deflateSync(Buffer.alloc(3_900_000));
  const worst = [
    pdf("", Array<Buffer>(20).fill(stream("<</Filter/FlateDecode>>", bomb))),
    pdf("", [Buffer.from("stream\n".repeat(700_000))]),
    pdf("", [Buffer.from("#2fJ#2f".repeat(700_000))]),
    pdf("", Array<Buffer>(20).fill(stream("<</Filter/FlateDecode>>", tooLarge))),
    pdf("", [Buffer.from(`${"obj<<(".repeat(400_000)}${")>>".repeat(400_000)}`)]),
    pdf("", [Buffer.from(`<<${"/X(obj<<>>)".repeat(400_000)}>>`)]),
    pdf("", [Buffer.from("<<[%\n".repeat(900_000))]),
    pdf("", [Buffer.from(`<</X${"(".repeat(2_400_000)}${")".repeat(2_400_000)}>>`)]),
  ];
  const block = await longestBlock(async () => {
    for (const bytes of worst) await isPassivePdf(bytes);
  }, 3);
  expect(block).toBeLessThan(3);
});

function stream(dictionary: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${dictionary}stream\n`), content, Buffer.from("\nendstream")]);
}

function withReferencesAt(position: number): Buffer {
  const text = pdf().toString();
  return Buffer.from(text.replace(/startxref\n\d+/, `startxref\n${position}`));
}

function hiddenScript(dictionary: string, content = hexScript): Buffer {
  return stream(` <<${dictionary}>> % a comment\n`, content);
}

/** Some readers skip the rest of the line after the keyword, in which an innocent object is compressed. */
function decoy(): Buffer {
  const [innocent, active] = [deflateSync("7 0 <<>>"), deflateSync(`7 0 ${script}`)];
  const [start, end] = ["<</N 1/First 4/Filter/FlateDecode>>stream ", "\nendstream"].map((text) => Buffer.from(text));
  return Buffer.concat([start ?? innocent, innocent, Buffer.from("\n"), active, end ?? innocent]);
}

function objectStream(object: string): Buffer {
  return stream("<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>", deflateSync(`7 0 ${object}`));
}

/** As PDF 1.5 and newer may end: the table of objects is a stream itself. */
function withCrossReferenceStream(): Buffer {
  const body = "%PDF-1.5\n1 0 obj<</Type/Catalog>>endobj\n";
  const table = stream("2 0 obj<</Type/XRef/W[1 2 1]/Root 1 0 R/Size 3>>", deflateSync(Buffer.alloc(12)));
  return Buffer.concat([Buffer.from(body), table, Buffer.from(`endobj\nstartxref\n${body.length}\n%%EOF\n`)]);
}
