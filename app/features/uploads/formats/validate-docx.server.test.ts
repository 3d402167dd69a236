import { buffer } from "node:stream/consumers";

import { expect, test } from "vitest";
import { ZipFile } from "yazl";

import { messages, serverMessages } from "#app/features/uploads/messages.ts";
import { withByteSource } from "#app/services/archives/byte-source.server.ts";
import { docx, docxEntries, relationships, wordTypes, zip } from "#tests/support/fixtures/binary-files.ts";

import { validateDocx } from "./validate-docx.server.ts";

const validate = (bytes: Uint8Array) => withByteSource(bytes, validateDocx);

/** A document whose main part has these relationships. */
function linked(...rows: string[][]) {
  return docx([{ name: "word/_rels/document.xml.rels", content: relationships(rows) }]);
}

/** With a part of this name and content type. */
function typed(name: string, type: string, more: { name: string; content?: string }[] = []) {
  const override = `<Override PartName="/${name}" ContentType="${type}"/></Types>`;
  return docx([{ name, content: "x" }, ...more], { types: wordTypes.replace("</Types>", override) });
}

/** In ZIP64 throughout, as some programs write small archives too. */
async function zip64(entries = docxEntries()) {
  const archive = new ZipFile();
  for (const { name, content = "" } of entries)
    archive.addBuffer(Buffer.from(content), name, { forceZip64Format: true });
  archive.end({ forceZip64Format: true, comment: "" });
  return buffer(archive.outputStream);
}

/** Python writes both end records with their numbers, where yazl leaves them out of the smaller one. */
async function zip64WithBothEnds(difference = 0) {
  const archive = await zip64();
  const [record, end] = [archive.length - 98, archive.length - 22];
  for (const at of [8, 10]) archive.writeUInt16LE(docxEntries().length, end + at);
  archive.writeUInt32LE(archive.readUInt32LE(record + 40) + difference, end + 12);
  archive.writeUInt32LE(archive.readUInt32LE(record + 48), end + 16);
  return archive;
}

const chartType = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml";
const workbook = relationships([["package", "../embeddings/sheet1.xlsx"]]);
const chart = () =>
  typed("word/charts/a.xml", chartType, [{ name: "word/charts/_rels/a.xml.rels", content: workbook }]);
const strict = relationships([["officeDocument", "word/document.xml"]]).replace(
  "schemas.openxmlformats.org",
  "purl.oclc.org/ooxml",
);
const template = wordTypes.replace("document.main", "template.main");
const templates = "Users/ada/AppData/Templates/Resume.dotx";

test.each([
  ["by its usual names", docx(), "docx"],
  ["whose main part has another name", docx([], { main: "word/document2.xml" }), "docx"],
  ["whose names differ in case", docx([], { types: wordTypes.toUpperCase(), main: "Word/Document.xml" }), "docx"],
  [
    "in the strict variant",
    zip(docxEntries().map((entry) => (entry.name === "_rels/.rels" ? { ...entry, content: strict } : entry))),
    "docx",
  ],
  ["as a template", docx([], { types: template }), "dotx"],
  ["in ZIP64", zip64(), "docx"],
  ["in ZIP64 with the numbers in both end records", zip64WithBothEnds(), "docx"],
  ["with a file that is only called like macros", docx([{ name: "word/vbaProject.bin", content: "x" }]), "docx"],
  ["with a chart and its workbook", chart(), "docx"],
  ["with links", linked(["hyperlink", "https://ada.example/", "External"]), "docx"],
  ["with a copied image", linked(["image", "https://ada.example/a.png", "External"]), "docx"],
  ["from a template of Windows", linked(["attachedTemplate", `file:///C:/${templates}`, "External"]), "docx"],
  ["from a template of a Mac", linked(["attachedTemplate", `file:////${templates}`, "External"]), "docx"],
])("accepts a Word document %s", async (_, bytes, extension) => {
  expect(await validate(await bytes)).toBe(extension);
});

const { macros } = messages;
const { embedded, linked: loaded, damagedDocument: damaged } = serverMessages;
const escaped = relationships([["vbaProject", "a.bin"]]).replace("vbaP", "vba&#80;");
const doctype = `<!DOCTYPE a [<!ENTITY p "P">]>${escaped}`;
/** With macros, whose type seems to be replaced by what a reader of XML skips. */
const masked = (start: string, end: string) => {
  const override = (type: string) => `<Override PartName="/word/a.bin" ContentType="${type}"/>`;
  const types = [override("application/vnd.ms-office.vbaProject"), start, override("image/png"), end, "</Types>"];
  return docx([{ name: "word/a.bin", content: "x" }], { types: wordTypes.replace("</Types>", types.join("")) });
};
const settings = (content: string | Uint8Array) => docx([{ name: "word/_rels/settings.xml.rels", content }]);

test.each([
  ["macros by a content type", typed("word/media/image1.png", "application/vnd.ms-office.vbaProject"), macros],
  ["macros by a relationship", linked(["vbaProject", "media/image1.png"]), macros],
  ["macros by an escaped relationship", settings(escaped), macros],
  ["a document type", settings(doctype), damaged],
  ["a content type in a processing instruction", masked("<?a >", "?>"), damaged],
  ["a content type in a CDATA section", masked("<![CDATA[>", "]]>"), damaged],
  ["a content type in a comment", masked("<!-- > ", "-->"), macros],
  ["relationships in UTF-16", settings(Buffer.from(escaped, "utf16le")), damaged],
  ["an OLE object", linked(["oleObject", "embeddings/oleObject1.bin"]), embedded],
  ["a linked OLE object", linked(["oleObject", "file:///C:/Users/ada/a.xlsx", "External"]), embedded],
  ["an embedded workbook", linked(["package", "embeddings/a.xlsx"]), embedded],
  ["an ActiveX control", linked(["control", "activeX/activeX1.xml"]), embedded],
  ["a template of another computer", linked(["attachedTemplate", "https://evil.example/a.dotm", "External"]), loaded],
  ["a template of a file server", linked(["attachedTemplate", "file:///\\\\evil\\a\\a.dotm", "External"]), loaded],
  ["a frame", linked(["frame", "https://evil.example/", "External"]), loaded],
  ["an image of a file server", linked(["image", "file://evil/a.png", "External"]), loaded],
  ["two end records that disagree", zip64WithBothEnds(1), damaged],
])("refuses a Word document with %s", async (_, bytes, message) => {
  expect(await validate(await bytes)).toMatchObject({ kind: "refused", status: 422, message });
});

test("refuses an archive that hides an entry from readers that go by the directory's offset", async () => {
  const hidden = "word/vbaProject.bin";
  const archive = docx([{ name: hidden }]);
  // The last entry stays between the directory and the end record: Python and unzip then see it alone.
  const end = archive.length - 22;
  const count = archive.readUInt16LE(end + 8) - 1;
  archive.writeUInt16LE(count, end + 8);
  archive.writeUInt16LE(count, end + 10);
  archive.writeUInt32LE(archive.readUInt32LE(end + 12) - 46 - hidden.length, end + 12);
  expect(await validate(archive)).toMatchObject({ message: damaged });
});
