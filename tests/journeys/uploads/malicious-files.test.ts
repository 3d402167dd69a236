import sharp from "sharp";
import { expect, test } from "vitest";

import { compoundFile, docx, png, pngChunk, wordTypes, zip } from "#tests/support/fixtures/binary-files.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, jpegOfSize, pdf, photo, plainImage, uploadFile } from "#tests/support/app/uploads.ts";

type Bytes = Uint8Array | Promise<Uint8Array>;
type Case = [what: string, status: number, message: string, bytes: () => Bytes];

const text = (words: string) => Buffer.from(words);
const wrongImageType = "Please upload a JPEG, PNG, or WebP image";
const tooLarge = "Image size must be less than 5MB";
const damaged = "This image is damaged and can’t be opened. Save it again in another app, or choose another one.";
const animated = "Animated images aren’t supported. Choose a still image.";
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
  ["nothing", 422, empty, () => Buffer.alloc(0)],
  ["SVG with a script", 415, wrongImageType, () => text(svg)],
  ["HTML", 415, wrongImageType, () => text(html)],
  ["GIF that is HTML as well", 415, wrongImageType, () => text(`GIF89a/*${html}*/=1;`)],
  ["HEIC", 415, wrongImageType, () => Buffer.from("\0\0\0\u0018ftypheic\0\0\0\0mif1heic", "latin1")],
  ["a PDF", 415, wrongImageType, () => pdf()],
  ["RIFF that is sound", 415, wrongImageType, () => Buffer.from("RIFF\u0010\0\0\0WAVEfmt ", "latin1")],
  ["a JPEG behind HTML", 415, wrongImageType, async () => Buffer.concat([text(html), await jpeg()])],
  ["a JPEG's start, then HTML", 422, damaged, () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), text(html)])],
  ["the start of a WebP", 422, damaged, () => Buffer.from("RIFF\u0010\0\0\0WEBPVP8 ", "latin1")],
  ["half a JPEG", 422, damaged, async () => (await photo(300, 300).jpeg().toBuffer()).subarray(0, 4_000)],
  ["half a PNG", 422, damaged, async () => (await photo(200, 200).png().toBuffer()).subarray(0, 20_000)],
  ["half a WebP", 422, damaged, async () => (await photo(300, 300).webp().toBuffer()).subarray(0, 2_000)],
  ["a PNG with a wrong checksum", 422, damaged, () => Buffer.from(png(8, 8)).fill(0, 29, 33)],
  ["a PNG without pixels", 422, damaged, () => png(8, 8, { pixels: new Uint8Array(3) })],
  ["a PNG of no width", 422, damaged, () => png(0, 8, { pixels: new Uint8Array(8) })],
  ["a PNG that is 4 billion wide", 422, damaged, () => png(0xff_ff_ff_ff, 1, { pixels: new Uint8Array(9) })],
  ["a PNG of 900 million pixels", 422, tooManyPixels, () => png(30_000, 30_000, { pixels: new Uint8Array(9) })],
  ["a PNG of four million by nine", 422, tooWide, () => png(4_000_000, 9, { pixels: new Uint8Array(9) })],
  [
    "an animated PNG",
    422,
    animated,
    () => png(8, 8, { between: [pngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] }),
  ],
  ["an animated WebP", 422, animated, animatedWebp],
  ["a JPEG that is drawn two thousand times", 422, tooSlow, scanBomb],
  ["exactly 5 MB", 413, tooLarge, () => jpegOfSize(5 * mebibytes)],
];

const wrongDocumentType = "Please upload a PDF or Word document";
const webPage = `${wrongDocumentType}. This is a web page (HTML): open it, save it as a PDF, then upload that.`;
const broken = "This document is damaged and can’t be opened. Save it again, or choose another one.";
const macros = "This document contains macros. Save it without them or as a PDF, then try again.";
const locked = "This document is password-protected. Remove the password and try again.";
const bomb = "This document is too large once unpacked. Save it as a PDF and try again.";
const documentTooLarge = "File size must be less than 5MB";
const zeros = (megabytes: number) => new Uint8Array(megabytes * 1_000_000);
const macroTypes = wordTypes.replace("wordprocessingml.document.main", "ms-word.document.macroEnabled.main");
const contentTypes = { name: "[Content_Types].xml", content: wordTypes };
const sharedEntry = { name: "word/abcd", content: zeros(1), declaredSize: 9 };
const sharedEntries = [contentTypes, { name: "word/document.xml" }, sharedEntry];
const longPdf = () => Buffer.concat([Buffer.alloc(5 * mebibytes - pdf().length, "%PDF-1.4\n"), pdf()]);

const maliciousDocuments: Case[] = [
  ["nothing", 422, empty, () => Buffer.alloc(0)],
  ["HTML that is called a PDF", 415, webPage, () => text(html)],
  ["HTML, then a PDF", 415, webPage, () => Buffer.concat([text(html), pdf()])],
  ["half a PDF", 422, broken, () => Buffer.concat([pdf().subarray(0, 40), Buffer.alloc(3_000)])],
  ["an image", 415, wrongDocumentType, jpeg],
  ["an archive that isn't a document", 415, wrongDocumentType, () => zip([{ name: "a.txt", content: "a" }])],
  ["a spreadsheet", 415, wrongDocumentType, () => zip([contentTypes, { name: "xl/workbook.xml" }])],
  ["a document of no type", 415, wrongDocumentType, () => docx([], { types: "<Types/>" })],
  ["macros", 422, macros, () => docx([], { types: macroTypes })],
  ["a password", 422, locked, () => docx([{ name: "word/a.xml", isEncrypted: true }])],
  ["a bomb that declares its size", 422, bomb, () => docx([{ name: "word/a.xml", content: zeros(120) }])],
  ["a bomb that doesn’t", 422, bomb, () => docx([{ name: "word/a.xml", content: zeros(30), declaredSize: 1_000 }])],
  ["a bomb of entries that share their bytes", 422, bomb, () => zip(sharedEntries, { repeated: 900 })],
  ["a wrong size", 422, broken, () => docx([{ name: "word/a.xml", content: "x", declaredSize: 5_000 }])],
  ["a way out of its folder", 422, broken, () => docx([{ name: "../../etc/cron.d/a", content: "x" }])],
  ["one name twice", 422, broken, () => docx([{ name: "word/document.xml", content: "another" }])],
  ["half a document", 422, broken, () => docx().subarray(0, -30)],
  ["a document behind a JPEG", 415, wrongDocumentType, async () => Buffer.concat([await jpeg(), docx()])],
  ["a document with HTML behind it", 422, broken, () => Buffer.concat([docx(), text(html)])],
  ["an old spreadsheet", 415, wrongDocumentType, () => compoundFile(["Workbook"])],
  ["old macros", 422, macros, () => compoundFile(["WordDocument", "Macros"])],
  ["an old envelope with a password", 422, locked, () => compoundFile(["EncryptedPackage"])],
  ["an old document with a cyclic directory", 422, broken, () => compoundFile(["WordDocument"], { next: 1 })],
  ["an old document that is cut off", 422, broken, () => compoundFile(["WordDocument"]).subarray(0, 700)],
  ["exactly 5 MB", 413, documentTooLarge, longPdf],
];

async function expectNothingLeft({ services }: TestApp) {
  const paths: string[] = [];
  for await (const { path } of services.files.list("")) paths.push(path);
  expect(paths).toEqual([]);
  expect(await services.db.selectFrom("asset").selectAll().execute()).toEqual([]);
}

test.each([
  ["image", "avatar", "holiday.png", maliciousImages],
  ["document", "resume", "resume.pdf", maliciousDocuments],
] as const)(
  "each malicious %s is refused with its reason, whatever its name, and nothing is stored",
  async (...[, slot, name, files]) => {
    const { ada, ...app } = await createSignedInApp();
    for (const [what, status, message, bytes] of files)
      expect(await uploadFile(ada, slot, { bytes: await bytes(), name }), what).toEqual({ status, message });
    await expectNothingLeft(app);
    expect(app.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  },
);
