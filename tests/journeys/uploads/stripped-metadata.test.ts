import sharp from "sharp";
import { expect, test } from "vitest";

import { avatarVariants, bannerVariants, fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { pngChunk } from "#tests/support/fixtures/binary-files.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, jpegOfSize, photo, plainImage, uploadFile } from "#tests/support/app/uploads.ts";

const secret = "Ada was here: 51.5007 N";
const html = `<script>alert("${secret}")</script>`;

const gps = {
  IFD0: { Artist: secret, Copyright: html },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 2/1", GPSLongitudeRef: "W", GPSLongitude: "0/1 7/1 28/1" },
};

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`;
const smallPng = () => plainImage(30, 30).png().toBuffer();

/** Images that are something else as well, or contain what their owners would not hand over, and files of cameras and old programs. */
const files: [what: string, bytes: () => Promise<Buffer>][] = [
  ["a photo with the position of the camera", () => photo(300, 200).jpeg().withExif(gps).toBuffer()],
  ["noise, which nothing compresses", () => noise(900, 900).jpeg({ quality: 90 }).toBuffer()],
  ["a WebP with the position and XMP", () => photo(300, 200).webp().withExif(gps).withXmp(xmp).toBuffer()],
  ["a JPEG that is HTML as well", async () => Buffer.concat([await jpeg(), Buffer.from(html)])],
  ["a JPEG with HTML in a comment", async () => withComment(await jpeg())],
  ["a PNG with a text chunk", async () => withChunk(await smallPng(), `Comment\0${html}`)],
  ["a PNG with HTML behind it", async () => Buffer.concat([await smallPng(), Buffer.from(html)])],
  ["an image with a color profile", () => photo(300, 200).withIccProfile("p3").png().toBuffer()],
  ["one pixel", () => plainImage(1, 1).png().toBuffer()],
  ["a hundred times as wide as tall", () => plainImage(2_000, 20).jpeg().toBuffer()],
  ["a hundred times as tall as wide", () => plainImage(20, 2_000).jpeg().toBuffer()],
  ["sixteen bits a channel", () => photo(60, 60).toColourspace("rgb16").png().toBuffer()],
  ["CMYK", () => photo(60, 60).toColourspace("cmyk").jpeg().toBuffer()],
  ["grayscale with transparency", () => photo(60, 60).ensureAlpha(0.5).greyscale().png().toBuffer()],
  ["a palette", () => photo(60, 60).png({ palette: true, colours: 4 }).toBuffer()],
  ["transparent lossless WebP", () => photo(60, 60).ensureAlpha(0).webp({ lossless: true }).toBuffer()],
  ["40 million pixels", () => plainImage(8_000, 5_000).png().toBuffer()],
  ["one byte less than 5 MB", () => jpegOfSize(5 * 1024 * 1024 - 1)],
];

test("of any image only its pixels are stored, each variant within its size limit", async () => {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const logo = `logo:${await makeCard(ada)}`;
  // Without an upload limit.
  app.services.rateLimits.consume = async () => undefined;
  const slots = Object.entries({ avatar: maxBytes.avatar, banner: maxBytes.banner, [logo]: maxBytes.logo });
  for (const [index, [what, bytes]] of files.entries()) {
    // The first two in every slot, the others by turns.
    for (const [slot, ends] of index < 2 ? slots : slots.slice(index % 3, (index % 3) + 1)) {
      const { keyPrefix = "", status } = await uploadFile(ada, slot, { bytes: await bytes() });
      expect(status, `${what}, ${slot}`).toBe(200);
      for (const [end, most] of Object.entries(ends)) {
        const response = await app.visitor().get(fileUrl(keyPrefix, end));
        expect(response.status).toBe(200);
        const stored = Buffer.from(await response.arrayBuffer());
        expect(stored.length, `${what}, ${slot}${end}`).toBeLessThanOrEqual(most);
        expect(stored.toString("latin1"), what).not.toContain("Ada was here");
        const { exif, xmp: packet, icc, iptc, comments, space } = await sharp(stored).metadata();
        expect([exif, packet, icc, iptc, comments], what).toEqual(Array(5).fill(undefined));
        expect(space).toMatch(/srgb|b-w/);
        await sharp(stored).stats();
      }
    }
  }
});

const maxBytes = {
  avatar: { [avatarVariants.small]: 15_000, [avatarVariants.large]: 15_000, [avatarVariants.jpeg]: 20_000 },
  banner: { [bannerVariants.small]: 60_000, [bannerVariants.large]: 120_000, [bannerVariants.jpeg]: 160_000 },
  logo: { [logoVariants.webp]: 60_000, [logoVariants.png]: 200_000 },
};

function noise(width: number, height: number) {
  const gaussian = { type: "gaussian" as const, mean: 128, sigma: 80 };
  return sharp({ create: { width, height, channels: 3, background: "#000", noise: gaussian } });
}

function withComment(image: Buffer): Buffer {
  const comment = Buffer.from(html);
  const length = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([image.subarray(0, 2), length, comment, image.subarray(2)]);
}

function withChunk(image: Buffer, words: string): Buffer {
  // After the signature (8 bytes) and the header chunk (25 bytes).
  return Buffer.concat([image.subarray(0, 33), pngChunk("tEXt", Buffer.from(words)), image.subarray(33)]);
}
