import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { contrast, leastTextContrast } from "#app/services/base/color-contrast.ts";
import { plainImage } from "#tests/support/app/uploads.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, demoSigner } from "#tests/support/fixtures/wallet/demo-wallet.ts";

import { drawDefaultImage } from "../assets/default-image-drawing.ts";
import { defaultImages } from "../assets/default-image-model.ts";
import { applePassColors } from "../design/preview/preview-style.ts";
import { passParts, voidedContent } from "../pass-content.ts";
import type { PassContent } from "../pass-content.ts";
import { applePassTask } from "./pass-tasks.server.ts";
import { drawPassPart } from "./pass-images.server.ts";
import type { PassPhotos } from "./pass-images.server.ts";

const blank: PassContent = {
  ...voidedContent({
    cardId: "card",
    cardUrl: "https://a.example",
    issuer: { name: "Meishi", url: "https://a.example" },
  }),
  isVoided: false,
  name: "Ada",
  images: { avatarKey: "a", background: { kind: "asset", key: "b" }, tint: "", logo: { kind: "asset", key: "c" } },
};

const none = { avatar: undefined, logo: undefined, background: undefined };

async function build(photos: Partial<PassPhotos>, images: Partial<PassContent["images"]> = {}) {
  const pass = await applePassTask.run({
    content: { ...blank, images: { ...blank.images, ...images } },
    parts: [await draw(photos, images)],
    options: { authenticationToken: "", serviceUrl: undefined },
    signer: demoSigner,
    now: Date.now(),
  });
  return { bytes: pass.length, ...(await checkPass(pass, demoCertificates.root)) };
}

async function draw(photos: Partial<PassPhotos>, images: Partial<PassContent["images"]> = {}) {
  const content = { ...blank, images: { ...blank.images, ...images } };
  const parts = [];
  const { background } = content.images;
  const drawing = background.kind === "default" ? drawDefaultImage(background.id) : undefined;
  for (const part of passParts) parts.push(await drawPassPart(part, content, { ...none, drawing, ...photos }));
  const [colors] = parts.flatMap((part) => part.colors ?? []);
  if (!colors) throw new Error("The background says no colors.");
  return { files: Object.fromEntries(parts.flatMap(({ files }) => Object.entries(files))), colors };
}

/** Every pixel is another color: no image compresses worse. */
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "#808080", noise: { type: "gaussian", mean: 128, sigma: 80 } },
  });
const plain = (background: string) => plainImage(540, 660, background).jpeg().toBuffer();
const meanColor = (image: Uint8Array | undefined) => sharp(image).removeAlpha().resize(1, 1).raw().toBuffer();

describe("the images of a pass", () => {
  test("stay below the limit with the worst background, logo and avatar", async () => {
    const { problems, files, bytes } = await build({
      avatar: await noise(384, 384).jpeg().toBuffer(),
      logo: await noise(480, 150).png().toBuffer(),
      background: await noise(540, 660).jpeg({ quality: 95 }).toBuffer(),
    });
    expect(problems).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(150_000);
    expect(Object.keys(files).filter((name) => name.endsWith(".png"))).toHaveLength(12);
  });

  test("have texts that are readable on any background, with and without a tint", async () => {
    for (const color of ["#ffffff", "#808080", "#ff0000", "#0000ff"]) {
      const background = await plain(color);
      for (const tint of ["", "#ffff00"] as const) {
        const { files, colors } = await draw({ background }, { tint });
        const back = `#${(await meanColor(files["background@3x.png"])).toString("hex")}`;
        for (const text of [colors.text, colors.label])
          expect(contrast(text, back), color).toBeGreaterThanOrEqual(leastTextContrast - 0.1);
      }
    }
  });

  test("with a tint have its color over the background at an opacity of 0.3", async () => {
    const { files } = await draw({ background: await plain("#000000") }, { tint: "#ff0000" });
    const [red = 0, ...others] = await meanColor(files["background.png"]);
    expect(red).toBeGreaterThan(70);
    expect(red).toBeLessThan(83);
    expect(Math.max(...others)).toBeLessThan(4);
  });

  test("without a logo, an avatar and an uploaded background are the icon and the card's colors", async () => {
    const { files, problems } = await build({}, { logo: { kind: "none" }, background: { kind: "card" } });
    expect(problems).toEqual([]);
    expect(Object.keys(files).filter((name) => /^(?:logo|thumbnail)/.test(name))).toEqual([]);
    expect(Object.keys(files)).toContain("background@3x.png");
  });

  test("keep a logo's proportions and transparency", async () => {
    const { files } = await draw({ logo: await plainImage(480, 60).ensureAlpha(0.5).png().toBuffer() });
    expect(await sharp(files["logo@3x.png"]).metadata()).toMatchObject({ width: 480, height: 60, hasAlpha: true });
  });

  test("cut the avatar to a circle", async () => {
    const { files } = await draw({ avatar: await plain("#204060") });
    const { data, info } = await sharp(files["thumbnail@3x.png"])
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const alphaAt = (x: number, y: number) => data[(y * info.width + x) * 4 + 3];
    expect([alphaAt(0, 0), alphaAt(269, 269), alphaAt(135, 135), alphaAt(135, 3)]).toEqual([0, 0, 255, 255]);
  });

  test("of every default background leave room for the rest, and its texts are readable, as in the preview", async () => {
    for (const { id } of defaultImages) {
      const drawn = await draw({}, { background: { kind: "default", id } });
      const bytes = Object.values(drawn.files).reduce((sum, file) => sum + file.length, 0);
      expect(bytes, id).toBeLessThan(90_000);
      expect(contrast(drawn.colors.text, drawn.colors.background), id).toBeGreaterThanOrEqual(leastTextContrast);
      const images = { ...blank.images, tint: "", background: { kind: "default", id } } as const;
      expect(applePassColors({ ...blank, images }, undefined).text, id).toBe(drawn.colors.text);
    }
    const unknown = await draw({}, { background: { kind: "default", id: "gone" } });
    expect(unknown.colors.background).toBe(blank.colors.background[0]);
  });
});
