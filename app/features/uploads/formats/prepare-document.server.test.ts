import { expect, test } from "vitest";

import { notResume } from "#app/features/uploads/messages.ts";
import { compoundFile, docx, wordTypes, zip } from "#tests/support/fixtures/binary-files.ts";
import { pdf } from "#tests/support/app/uploads.ts";

import { prepareDocument } from "./prepare-document.server.ts";

const mark = "\u00ef\u00bb\u00bf";
const page = `${mark}\n<html xmlns:w="urn:schemas-microsoft-com:office:word"><body>Ada</body></html>`;
const archivedPage = 'Message-ID: <1>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="a"\r\n';

test.each([
  ["rtf", Buffer.from(String.raw`{\rtf1\ansi Ada\par}`)],
  ["odt", zip([{ name: "mimetype", content: "application/vnd.oasis.opendocument.text" }, { name: "content.xml" }])],
  ["pages", zip([{ name: "Index/Document.iwa" }, { name: "preview.jpg" }])],
  ["html", Buffer.from(page, "latin1")],
  ["html", Buffer.from(archivedPage)],
  ["xml", Buffer.from('<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument/>')],
  ["txt", Buffer.from("Zoë's résumé\r\n")],
] as const)("says that a file called .doc is %s, and what to do", async (format, bytes) => {
  expect(await prepareDocument(bytes, "resume.doc")).toMatchObject({ status: 415, message: notResume(format) });
});

test.each([
  ["a byte order mark", Buffer.from(mark, "latin1"), 0],
  ["a line of a scanner", Buffer.from("@PJL ENTER LANGUAGE = PDF\r\n"), 0],
  ["one kilobyte of anything", Buffer.alloc(1_024, 0xaa), 0],
  ["many zeros after it", Buffer.alloc(0), 9_000],
])("accepts a PDF with %s unchanged, and lets browsers display it", async (_, before, zeros) => {
  const bytes = Buffer.concat([before, pdf(), Buffer.alloc(zeros)]);
  const files = [{ type: "application/pdf", body: bytes, isPassive: true }];
  expect(await prepareDocument(bytes, "cv.pdf")).toMatchObject({ kind: "prepared", files });
});

test("refuses a PDF behind more than a kilobyte", async () => {
  const bytes = Buffer.concat([Buffer.alloc(1_025, 0xaa), pdf()]);
  expect(await prepareDocument(bytes, "cv.pdf")).toMatchObject({ status: 415 });
});

test("keeps the extension of a Word template", async () => {
  const bytes = docx([], { types: wordTypes.replace("document.main", "template.main") });
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.template";
  expect(await prepareDocument(bytes, "cv.docx")).toMatchObject({ filename: "cv.dotx", files: [{ type }] });
});

test("refuses an old Word document with an OLE object", async () => {
  const bytes = compoundFile(["WordDocument", "\u0003ObjInfo"]);
  expect(await prepareDocument(bytes, "cv.doc")).toMatchObject({
    message: expect.stringContaining("embedded objects"),
  });
});
