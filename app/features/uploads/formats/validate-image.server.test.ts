import { deflateSync } from "node:zlib";

import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { png, pngChunk } from "#tests/support/fixtures/binary-files.ts";
import { longestBlock } from "#tests/support/measurements.ts";

import { validateImage } from "./validate-image.server.ts";

const many = (type: string, count: number) => Array<Buffer>(count).fill(pngChunk(type));

describe("a PNG with very many chunks", () => {
  test("is refused without holding the event loop", async () => {
    const images = [
      png(4, 4, { between: many("tEXt", 400_000) }),
      png(4, 4, { between: many("IDAT", 300_000) }),
      withChunksAtEnd(many("abCd", 300_000)),
    ];
    for (const bytes of images) expect(await validateImage(bytes)).toMatchObject({ kind: "refused", status: 422 });
    const block = await longestBlock(async () => {
      for (const bytes of images) await validateImage(bytes);
    }, 3);
    expect(block).toBeLessThan(3);
  });

  test("is accepted with as many chunks as an encoder with small buffers writes", async () => {
    const image = { kind: "image", width: 4, height: 4 };
    expect(await validateImage(png(4, 4, { between: many("tEXt", 4_000) }))).toMatchObject(image);
  });
});

describe("a PNG with compressed chunks", () => {
  const packed = deflateSync(Buffer.alloc(8_000_000, "a"));
  const chunk = (type: string, head: string) => pngChunk(type, Buffer.concat([Buffer.from(head, "latin1"), packed]));
  const zTxt = chunk("zTXt", "Comment\0\0");
  const iTxt = chunk("iTXt", "XML:com.adobe.xmp\0\u0001\0\0\0");
  const iccp = chunk("iCCP", "ICC\0\0");

  test.each([
    ["twenty compressed texts", Array<Buffer>(20).fill(zTxt)],
    ["three international texts", Array<Buffer>(3).fill(iTxt)],
    ["three texts of both kinds", [zTxt, iTxt, zTxt]],
    ["two color profiles", [iccp, iccp]],
  ])("is refused: %s", async (_, between) => {
    expect(await validateImage(png(4, 4, { between }))).toMatchObject({ kind: "refused", status: 422 });
    expect(await validateImage(withChunksAtEnd(between))).toMatchObject({ kind: "refused", status: 422 });
  });

  test("is accepted with the ten small texts that photo libraries write", async () => {
    const text = pngChunk(
      "zTXt",
      Buffer.concat([Buffer.from("Raw profile type iptc\0\0"), deflateSync("8BIM ".repeat(50_000))]),
    );
    const between = [...Array<Buffer>(10).fill(text), pngChunk("iTXt", Buffer.from("Author\0\0\0\0\0Zoë"))];
    expect(await validateImage(png(4, 4, { between }))).toMatchObject({ kind: "image" });
  });

  test("is accepted with the color profile, XMP and comment that an image editor writes", async () => {
    const xmp = Buffer.from('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    const comment = Buffer.from("Comment\0\0\0\0\0Created with an image editor");
    const profile = await sharp(png(4, 4)).toColorspace("srgb").withIccProfile("p3").png().toBuffer();
    const at = profile.indexOf("iCCP") - 4;
    const between = [
      profile.subarray(at, at + 12 + profile.readUInt32BE(at)),
      pngChunk("iTXt", xmp),
      pngChunk("iTXt", comment),
      pngChunk("tEXt", Buffer.from("Software\0An image editor")),
    ];
    expect(await validateImage(png(4, 4, { between }))).toMatchObject({ kind: "image", width: 4, height: 4 });
  });
});

function withChunksAtEnd(chunks: Buffer[]): Buffer {
  const image = png(4, 4);
  return Buffer.concat([image.subarray(0, -12), ...chunks, image.subarray(-12)]);
}
