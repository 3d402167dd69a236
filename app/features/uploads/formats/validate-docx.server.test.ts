import { expect, test } from "vitest";

import { docx } from "#tests/support/fixtures/binary-files.ts";

import { withByteSource } from "./detect.server.ts";
import { validateDocx } from "./validate-docx.server.ts";

test("refuses an archive that hides macros from readers that go by the directory's offset", async () => {
  const hidden = "word/vbaProject.bin";
  const archive = docx([{ name: hidden }]);
  // The last entry stays between the directory and the end record: Python and unzip then see it alone.
  const end = archive.length - 22;
  const count = archive.readUInt16LE(end + 8) - 1;
  archive.writeUInt16LE(count, end + 8);
  archive.writeUInt16LE(count, end + 10);
  archive.writeUInt32LE(archive.readUInt32LE(end + 12) - 46 - hidden.length, end + 12);
  expect(await withByteSource(archive, validateDocx)).toMatchObject({ kind: "refused", status: 422 });
});
