import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import sharp from "sharp";
import { describe, expect, onTestFinished, test } from "vitest";

import { avatarVariants, bannerVariants, fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { pngChunk } from "#tests/support/fixtures/binary-files.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, jpegOfSize, photo, plainImage, uploadFile } from "#tests/support/app/uploads.ts";

const secret = "Ada was here: 51.5007 N";
const html = `<script>alert("${secret}")</script>`;
const hasExiftool = spawnSync("exiftool", ["-ver"]).status === 0;

const gps = {
  IFD0: { Artist: secret, Copyright: html },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 2/1", GPSLongitudeRef: "W", GPSLongitude: "0/1 7/1 28/1" },
};

/** What is a picture, and something else as well, or holds what its owner would not hand over. */
const polyglots: [what: string, bytes: () => Promise<Buffer>][] = [
  ["a photo with the place it was taken at", () => photo(300, 200).jpeg().withExif(gps).toBuffer()],
  ["a WebP with the place it was taken at", () => photo(300, 200).webp().withExif(gps).toBuffer()],
  [
    "a JPEG with XMP",
    () => photo(300, 200).jpeg().withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`).toBuffer(),
  ],
  ["a JPEG that is HTML as well", async () => Buffer.concat([await jpeg(), Buffer.from(html)])],
  ["a JPEG with HTML in a comment", async () => withComment(await jpeg())],
  [
    "a JPEG that is an archive as well",
    async () => Buffer.concat([await jpeg(), Buffer.from(`PK\u0003\u0004${secret}`)]),
  ],
  ["a PNG with words in it", async () => withChunk(await plainImage(30, 30).png().toBuffer(), `Comment\0${html}`)],
  [
    "a PNG with HTML behind it",
    async () => Buffer.concat([await plainImage(30, 30).png().toBuffer(), Buffer.from(html)]),
  ],
  ["an image with a color profile", () => photo(300, 200).withIccProfile("p3").png().toBuffer()],
];

/** Files of cameras, scanners and old programs. */
const unusualFiles: [what: string, bytes: () => Promise<Buffer>][] = [
  ["one pixel", () => plainImage(1, 1).png().toBuffer()],
  ["a hundred times as wide as tall", () => plainImage(2_000, 20).jpeg().toBuffer()],
  ["a hundred times as tall as wide", () => plainImage(20, 2_000).jpeg().toBuffer()],
  ["sixteen bits a channel", () => photo(60, 60).toColourspace("rgb16").png().toBuffer()],
  ["inks (CMYK)", () => photo(60, 60).toColourspace("cmyk").jpeg().toBuffer()],
  ["grayscale", () => photo(60, 60).greyscale().jpeg().toBuffer()],
  ["grayscale with transparency", () => photo(60, 60).ensureAlpha(0.5).greyscale().png().toBuffer()],
  ["a palette", () => photo(60, 60).png({ palette: true, colours: 4 }).toBuffer()],
  ["interlaced", () => photo(60, 60).png({ progressive: true }).toBuffer()],
  ["progressive", () => photo(60, 60).jpeg({ progressive: true }).toBuffer()],
  ["lossless WebP", () => photo(60, 60).webp({ lossless: true }).toBuffer()],
  ["all of it lets through", () => photo(60, 60).ensureAlpha(0).webp().toBuffer()],
  ["40 million pixels", () => plainImage(8_000, 5_000).png().toBuffer()],
  ["one byte less than 5 MB", () => jpegOfSize(5 * 1024 * 1024 - 1)],
  [
    "noise, which nothing compresses",
    () =>
      sharp({
        create: {
          width: 900,
          height: 900,
          channels: 3,
          background: "#000",
          noise: { type: "gaussian", mean: 128, sigma: 80 },
        },
      })
        .jpeg({ quality: 90 })
        .toBuffer(),
  ],
];

describe("of an image only its pixels are stored", () => {
  test("whatever else it is or contains", async () => {
    const { app, ada, card } = await openApp();
    for (const [what, bytes] of polyglots) {
      for (const [slot, forms] of Object.entries({
        avatar: avatarVariants,
        banner: bannerVariants,
        [`logo:${card}`]: logoVariants,
      })) {
        const { keyPrefix = "", status } = await uploadFile(ada, slot, { bytes: await bytes() });
        expect(status, what).toBe(200);
        for (const end of Object.values(forms)) {
          const stored = await storedBytes(app, fileUrl(keyPrefix, end));
          expect(stored.toString("latin1"), what).not.toContain("Ada was here");
          const { exif, xmp, icc, iptc, comments } = await sharp(stored).metadata();
          expect([exif, xmp, icc, iptc, comments], what).toEqual(Array(5).fill(undefined));
        }
      }
    }
  });

  test.skipIf(!hasExiftool)("which exiftool confirms (skipped where it is not installed)", async () => {
    const { app, ada } = await openApp();
    const bytes = await photo(300, 200).jpeg().withExif(gps).toBuffer();
    expect(tagsOf(bytes)).toContain("GPSLatitude");
    const { keyPrefix = "" } = await uploadFile(ada, "avatar", { bytes });
    for (const end of Object.values(avatarVariants)) {
      const tags = tagsOf(await storedBytes(app, fileUrl(keyPrefix, end)));
      expect(tags).toContain("ImageWidth");
      expect(tags).not.toMatch(/GPS|Artist|Copyright|Ada|Profile|Software/);
    }
  });
});

test("unusual images are accepted, and every variant is within its size limit", async () => {
  const { app, ada, card } = await openApp();
  for (const [what, bytes] of unusualFiles) {
    const file = await bytes();
    for (const [slot, ends] of Object.entries({
      avatar: maxBytes.avatar,
      banner: maxBytes.banner,
      [`logo:${card}`]: maxBytes.logo,
    })) {
      const { keyPrefix = "", status } = await uploadFile(ada, slot, { bytes: file });
      expect(status, `${what}, ${slot}`).toBe(200);
      for (const [end, most] of Object.entries(ends)) {
        const stored = await storedBytes(app, fileUrl(keyPrefix, end));
        expect(stored.length, `${what}, ${slot}${end}`).toBeLessThanOrEqual(most);
        expect((await sharp(stored).metadata()).space).toMatch(/srgb|b-w/);
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

/** A user with a card and without an upload limit. */
async function openApp() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const card = await makeCard(ada);
  app.services.rateLimits.consume = async () => undefined;
  return { app, ada, card };
}

async function storedBytes(app: TestApp, path: string): Promise<Buffer> {
  const response = await app.visitor().get(path);
  expect(response.status, path).toBe(200);
  return Buffer.from(await response.arrayBuffer());
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

function tagsOf(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "meishi-exif-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "picture"), bytes);
  return spawnSync("exiftool", ["-s", "-a", "-u", join(folder, "picture")], { encoding: "utf8" }).stdout.replace(
    /^Directory.*$/m,
    "",
  );
}
