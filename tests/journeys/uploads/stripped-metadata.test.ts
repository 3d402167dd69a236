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

/** What is an image, and something else as well, or contains what its owner would not hand over. */
const polyglots: Record<string, () => Promise<Buffer>> = {
  "a photo with the position of the camera": () => photo(300, 200).jpeg().withExif(gps).toBuffer(),
  "a WebP with the position and XMP": () => photo(300, 200).webp().withExif(gps).withXmp(xmp).toBuffer(),
  "a JPEG that is HTML as well": async () => Buffer.concat([await jpeg(), Buffer.from(html)]),
  "a JPEG with HTML in a comment": async () => withComment(await jpeg()),
  "a PNG with a text chunk": async () => withChunk(await smallPng(), `Comment\0${html}`),
  "a PNG with HTML behind it": async () => Buffer.concat([await smallPng(), Buffer.from(html)]),
  "an image with a color profile": () => photo(300, 200).withIccProfile("p3").png().toBuffer(),
};

/** Files of cameras, scanners and old programs. */
const unusualFiles: Record<string, () => Promise<Buffer>> = {
  "one pixel": () => plainImage(1, 1).png().toBuffer(),
  "a hundred times as wide as tall": () => plainImage(2_000, 20).jpeg().toBuffer(),
  "a hundred times as tall as wide": () => plainImage(20, 2_000).jpeg().toBuffer(),
  "sixteen bits a channel": () => photo(60, 60).toColourspace("rgb16").png().toBuffer(),
  CMYK: () => photo(60, 60).toColourspace("cmyk").jpeg().toBuffer(),
  "grayscale with transparency": () => photo(60, 60).ensureAlpha(0.5).greyscale().png().toBuffer(),
  "a palette": () => photo(60, 60).png({ palette: true, colours: 4 }).toBuffer(),
  "transparent lossless WebP": () => photo(60, 60).ensureAlpha(0).webp({ lossless: true }).toBuffer(),
  "40 million pixels": () => plainImage(8_000, 5_000).png().toBuffer(),
  "one byte less than 5 MB": () => jpegOfSize(5 * 1024 * 1024 - 1),
  "noise, which nothing compresses": () => noise(900, 900).jpeg({ quality: 90 }).toBuffer(),
};

test("of an image only its pixels are stored, whatever else it is or contains", async () => {
  const { uploadEverywhere } = await openApp();
  for (const [what, bytes] of Object.entries(polyglots)) {
    for (const { stored } of await uploadEverywhere(what, await bytes())) {
      expect(stored.toString("latin1"), what).not.toContain("Ada was here");
      const { exif, xmp: packet, icc, iptc, comments } = await sharp(stored).metadata();
      expect([exif, packet, icc, iptc, comments], what).toEqual(Array(5).fill(undefined));
    }
  }
});

test("unusual images are accepted, and every variant is within its size limit", async () => {
  const { uploadEverywhere } = await openApp();
  for (const [what, bytes] of Object.entries(unusualFiles)) {
    for (const { stored, end, most } of await uploadEverywhere(what, await bytes())) {
      expect(stored.length, `${what}, ${end}`).toBeLessThanOrEqual(most);
      expect((await sharp(stored).metadata()).space).toMatch(/srgb|b-w/);
      await sharp(stored).stats();
    }
  }
});

const maxBytes = {
  avatar: { [avatarVariants.small]: 15_000, [avatarVariants.large]: 15_000, [avatarVariants.jpeg]: 20_000 },
  banner: { [bannerVariants.small]: 60_000, [bannerVariants.large]: 120_000, [bannerVariants.jpeg]: 160_000 },
  logo: { [logoVariants.webp]: 60_000, [logoVariants.png]: 200_000 },
};

async function openApp() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const card = await makeCard(ada);
  // Without an upload limit.
  app.services.rateLimits.consume = async () => undefined;
  const slots = { avatar: maxBytes.avatar, banner: maxBytes.banner, [`logo:${card}`]: maxBytes.logo };
  /** The stored variants of this file as an avatar, as a banner and as a logo. */
  async function uploadEverywhere(what: string, bytes: Buffer) {
    const variants: { stored: Buffer; end: string; most: number }[] = [];
    for (const [slot, ends] of Object.entries(slots)) {
      const { keyPrefix = "", status } = await uploadFile(ada, slot, { bytes });
      expect(status, `${what}, ${slot}`).toBe(200);
      for (const [end, most] of Object.entries(ends)) {
        const response = await app.visitor().get(fileUrl(keyPrefix, end));
        expect(response.status).toBe(200);
        variants.push({ stored: Buffer.from(await response.arrayBuffer()), end, most });
      }
    }
    return variants;
  }
  return { uploadEverywhere };
}

function noise(width: number, height: number) {
  const gaussian = { type: "gaussian" as const, mean: 128, sigma: 80 };
  return sharp({ create: { width, height, channels: 3, background: "#000", noise: gaussian } });
}

function withComment(picture: Buffer): Buffer {
  const comment = Buffer.from(html);
  const length = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([picture.subarray(0, 2), length, comment, picture.subarray(2)]);
}

function withChunk(picture: Buffer, words: string): Buffer {
  // After the signature (8 bytes) and the header chunk (25 bytes).
  return Buffer.concat([picture.subarray(0, 33), pngChunk("tEXt", Buffer.from(words)), picture.subarray(33)]);
}
