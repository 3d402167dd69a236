import { expect, test } from "vitest";

import { compoundFile, docx, wordTypes } from "#tests/support/fixtures/binary-files.ts";

import { prepareDocument } from "./prepare-document.server.ts";

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
