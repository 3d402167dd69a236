import sharp from "sharp";
import { expect, test } from "vitest";

import { compoundFile, docx, png, pngChunk, wordTypes, zip } from "#tests/support/fixtures/binary-files.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, jpegOfSize, pdf, photo, plainImage, uploadFile } from "#tests/support/app/uploads.ts";

type Bytes = Uint8Array | Promise<Uint8Array>;
type Case = [what: string, bytes: () => Bytes, status: number, message: string];

const text = (words: string) => Buffer.from(words);
const wrongImageType = "Please upload a JPEG, PNG, or WebP image";
const tooLarge = "Image size must be less than 5MB";
const damaged = "This image is damaged and can't be opened. Save it again in another app, or choose another one.";
const animated = "Animated images aren't supported. Choose a still image.";
const tooSlow = "This image takes too long to process. Save it again in another app, or choose another one.";
const tooManyPixels = "This image has more than 40 million pixels. Make it smaller and try again.";
const tooWide = "This image is more than 16,384 pixels wide or high. Make it smaller and try again.";
const empty = "This file is empty. Choose another one.";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
const html = "<!doctype html><script>alert(document.domain)</script>";
const mebibytes = 1024 * 1024;

async function animatedWebp() {
  const frames = await Promise.all(["#f00", "#0f0"].map((color) => plainImage(20, 20, color).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
}

/** A progressive JPEG with two thousand copies of its last scan. */
async function scanBomb() {
  const whole = await photo(200, 200).jpeg({ progressive: true }).toBuffer();
  const scan = whole.subarray(whole.lastIndexOf(Buffer.from([0xff, 0xda])), whole.length - 2);
  return Buffer.concat([whole.subarray(0, -2), ...Array<Buffer>(2_000).fill(scan), whole.subarray(-2)]);
}

const maliciousImages: Case[] = [
  ["nothing", () => Buffer.alloc(0), 422, empty],
  ["one byte", () => Buffer.alloc(1), 415, wrongImageType],
  ["SVG with a script", () => text(svg), 415, wrongImageType],
  ["SVG that is called a PNG", () => text(`<?xml version="1.0"?>${svg}`), 415, wrongImageType],
  ["HTML", () => text(html), 415, wrongImageType],
  [
    "GIF",
    () =>
      sharp(Buffer.alloc(3), { raw: { width: 1, height: 1, channels: 3 } })
        .gif()
        .toBuffer(),
    415,
    wrongImageType,
  ],
  ["GIF that is HTML as well", () => text(`GIF89a/*${html}*/=1;`), 415, wrongImageType],
  ["TIFF", () => plainImage(4, 4).tiff().toBuffer(), 415, wrongImageType],
  ["HEIC", () => Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1"), 415, wrongImageType],
  ["AVIF", () => plainImage(4, 4).avif().toBuffer(), 415, wrongImageType],
  ["a PDF", () => pdf(), 415, wrongImageType],
  ["a picture behind a NUL", async () => Buffer.concat([Buffer.alloc(1), await jpeg()]), 415, wrongImageType],
  ["a picture behind HTML", async () => Buffer.concat([text(html), await jpeg()]), 415, wrongImageType],
  [
    "the start of a JPEG, then HTML",
    () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), text(html)]),
    422,
    damaged,
  ],
  [
    "the start of a PNG, then noise",
    async () => Buffer.concat([(await plainImage(9, 9).png().toBuffer()).subarray(0, 8), text(html)]),
    422,
    damaged,
  ],
  ["the start of a WebP alone", () => Buffer.from("RIFF\u0010\0\0\0WEBPVP8 ", "latin1"), 422, damaged],
  ["RIFF that is sound", () => Buffer.from("RIFF\u0010\0\0\0WAVEfmt ", "latin1"), 415, wrongImageType],
  ["half a JPEG", async () => (await photo(300, 300).jpeg().toBuffer()).subarray(0, 4_000), 422, damaged],
  ["half a PNG", async () => (await photo(200, 200).png().toBuffer()).subarray(0, 20_000), 422, damaged],
  ["half a WebP", async () => (await photo(300, 300).webp().toBuffer()).subarray(0, 2_000), 422, damaged],
  ["a PNG with a wrong checksum", () => Buffer.from(png(8, 8)).fill(0, 29, 33), 422, damaged],
  ["a PNG without pixels", () => png(8, 8, { pixels: new Uint8Array(3) }), 422, damaged],
  ["a PNG of no width", () => png(0, 8, { pixels: new Uint8Array(8) }), 422, damaged],
  [
    "a PNG that says it has 900 million pixels",
    () => png(30_000, 30_000, { pixels: new Uint8Array(9) }),
    422,
    tooManyPixels,
  ],
  ["a PNG that is 4 billion wide", () => png(0xff_ff_ff_ff, 1, { pixels: new Uint8Array(9) }), 422, damaged],
  ["a PNG of four million by nine", () => png(4_000_000, 9, { pixels: new Uint8Array(9) }), 422, tooWide],
  ["a whole picture of one line", () => plainImage(16_385, 1).png().toBuffer(), 422, tooWide],
  ["a whole picture of 49 million pixels", () => plainImage(7_000, 7_000).png().toBuffer(), 422, tooManyPixels],
  [
    "a PNG that moves",
    () => png(8, 8, { between: [pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] }),
    422,
    animated,
  ],
  ["a WebP that moves", animatedWebp, 422, animated],
  ["a JPEG that is drawn two thousand times", scanBomb, 422, tooSlow],
  [
    "a PNG with 400,000 empty text chunks",
    () => png(8, 8, { between: Array<Buffer>(400_000).fill(pngChunk("tEXt")) }),
    422,
    tooSlow,
  ],
  ["exactly 5 MB", () => jpegOfSize(5 * mebibytes), 413, tooLarge],
  ["20 MB", () => jpegOfSize(20 * mebibytes), 413, tooLarge],
];

const wrongDocumentType = "Please upload a PDF or Word document";
const broken = "This document is damaged and can't be opened. Save it again, or choose another one.";
const macros = "This document contains macros. Save it without them or as a PDF, then try again.";
const locked = "This document is password-protected. Remove the password and try again.";
const bomb = "This document is too large once unpacked. Save it as a PDF and try again.";
const zeros = (megabytes: number) => new Uint8Array(megabytes * 1_000_000);
const macroTypes = wordTypes.replace("wordprocessingml.document.main", "ms-word.document.macroEnabled.main");

const maliciousDocuments: Case[] = [
  ["nothing", () => Buffer.alloc(0), 422, empty],
  ["HTML that is called a PDF", () => text(html), 415, wrongDocumentType],
  ["HTML, then a PDF", () => Buffer.concat([text(html), pdf()]), 415, wrongDocumentType],
  [
    "a script with the mark of a PDF in its second line",
    () => text(`<script>alert(1)//\n%PDF-1.4\n%%EOF`),
    415,
    wrongDocumentType,
  ],
  ["a PDF behind a line break", () => Buffer.concat([text("\n"), pdf()]), 415, wrongDocumentType],
  ["half a PDF", () => Buffer.concat([pdf().subarray(0, 40), Buffer.alloc(3_000)]), 422, broken],
  ["a picture", jpeg, 415, wrongDocumentType],
  ["plain text", () => text("Ada Lovelace, mathematician"), 415, wrongDocumentType],
  ["RTF", () => text("{\\rtf1 Ada}"), 415, wrongDocumentType],
  ["a program", () => Buffer.concat([text("MZ"), Buffer.alloc(500)]), 415, wrongDocumentType],
  ["an archive that isn't a document", () => zip([{ name: "a.txt", content: "a" }]), 415, wrongDocumentType],
  ["an archive of nothing", () => Buffer.from(`PK\u0005\u0006${"\0".repeat(18)}`, "latin1"), 415, wrongDocumentType],
  [
    "a spreadsheet",
    () => zip([{ name: "[Content_Types].xml", content: wordTypes }, { name: "xl/workbook.xml" }]),
    415,
    wrongDocumentType,
  ],
  ["a Word template by its types", () => docx([], "<Types/>"), 415, wrongDocumentType],
  ["a document with macros", () => docx([{ name: "word/vbaProject.bin", content: "x" }]), 422, macros],
  ["a document that says it has macros", () => docx([], macroTypes), 422, macros],
  ["a document with a password", () => docx([{ name: "word/a.xml", isEncrypted: true }]), 422, locked],
  ["a bomb that says so", () => docx([{ name: "word/a.xml", content: zeros(120) }]), 422, bomb],
  [
    "a bomb that says it is small",
    () => docx([{ name: "word/a.xml", content: zeros(30), declaredSize: 1_000 }]),
    422,
    bomb,
  ],
  [
    "a bomb of entries that share one place",
    () =>
      zip(
        [
          { name: "[Content_Types].xml", content: wordTypes },
          { name: "word/document.xml" },
          { name: "word/abcd", content: zeros(1), declaredSize: 9 },
        ],
        { repeated: 900 },
      ),
    422,
    bomb,
  ],
  [
    "a document that says more than it holds",
    () => docx([{ name: "word/a.xml", content: "x", declaredSize: 5_000 }]),
    422,
    broken,
  ],
  ["a document with a way out of its folder", () => docx([{ name: "../../etc/cron.d/a", content: "x" }]), 422, broken],
  ["a document with one name twice", () => docx([{ name: "word/document.xml", content: "another" }]), 422, broken],
  ["half a document", () => docx().subarray(0, -30), 422, broken],
  ["a document behind a picture", async () => Buffer.concat([await jpeg(), docx()]), 415, wrongDocumentType],
  ["a document with something behind it", () => Buffer.concat([docx(), text(html)]), 422, broken],
  ["an old spreadsheet", () => compoundFile(["Workbook"]), 415, wrongDocumentType],
  ["an old document with macros", () => compoundFile(["WordDocument", "Macros"]), 422, macros],
  ["an old envelope with a password", () => compoundFile(["EncryptedPackage"]), 422, locked],
  ["an old document with a cyclic directory", () => compoundFile(["WordDocument"], { next: 1 }), 422, broken],
  ["an old document that is cut off", () => compoundFile(["WordDocument"]).subarray(0, 700), 422, broken],
  [
    "exactly 5 MB",
    () => Buffer.concat([Buffer.alloc(5 * mebibytes - pdf().length, "%PDF-1.4\n"), pdf()]),
    413,
    "File size must be less than 5MB",
  ],
];

async function expectNothingLeft({ services }: TestApp) {
  const paths: string[] = [];
  for await (const { path } of services.files.list("")) paths.push(path);
  expect(paths).toEqual([]);
  expect(await services.db.selectFrom("asset").selectAll().execute()).toEqual([]);
}

test.each([
  { kind: "picture", slot: "avatar", name: "holiday.png", files: maliciousImages },
  { kind: "document", slot: "resume", name: "resume.pdf", files: maliciousDocuments },
])(
  "each malicious $kind is refused with its reason, whatever its name, and nothing is stored",
  async ({ slot, name, files }) => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    expect(files.length).toBeGreaterThan(30);
    for (const [what, bytes, status, message] of files) {
      expect(await uploadFile(ada, slot, { bytes: await bytes(), name }), what).toEqual({ status, message });
    }
    await expectNothingLeft(app);
    expect(app.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);
