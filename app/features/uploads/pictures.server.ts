import { avatarForms, bannerForms, logoForms } from "./addresses.ts";
import { bannerOf, planOf, squareOf } from "./crop.ts";
import type { Box } from "./crop.ts";
import { encode, narrowed, pixelsOf } from "./encode.server.ts";
import type { Format, Pixels } from "./encode.server.ts";
import { examine, refuseDamaged } from "./examine.server.ts";
import type { Picture } from "./examine.server.ts";
import type { Made, MadeFile } from "./make-files.server.ts";
import { messages } from "./messages.ts";
import { refuse } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import type { Crop, Slot } from "./rules.ts";

/**
 * A picture in each form that its slot is served in, drawn anew from its pixels: nothing else of the file is kept, neither where a photo
 * was taken nor what was hidden behind it.
 */
export async function makePictures(
  upload: { file: string } | Uint8Array,
  { slot, crop }: { slot: Slot; crop: Crop | undefined },
): Promise<Made> {
  const picture = await examine(upload);
  if (picture.kind === "refused") return picture;
  const pixels = await decode(picture, slot, crop);
  if ("kind" in pixels) return pixels;
  return { kind: "made", files: await formsOf(pixels, slot), filename: "" };
}

async function decode(picture: Picture, slot: Slot, crop: Crop | undefined): Promise<Pixels | Refusal> {
  const square = slot === "avatar" ? squareOf(picture, crop) : undefined;
  if (slot === "avatar" && !square) return refuse(422, messages.crop);
  try {
    // Initials stand behind an avatar, for when it can't be loaded: they would show through.
    if (square) return await pixelsOf(take(picture, square, AVATAR_WIDTH).flatten({ background: "#ffffff" }));
    if (slot === "banner") return await pixelsOf(take(picture, bannerOf(picture), BANNER_WIDTH));
    const within = { width: LOGO_SIDE, height: LOGO_SIDE, fit: "inside", withoutEnlargement: true } as const;
    return await pixelsOf(picture.open().resize(within));
  } catch (error) {
    return refuseDamaged(error);
  }
}

function take(picture: Picture, box: Box, width: number) {
  const { resize, extract } = planOf(picture, box, width);
  const opened = picture.open();
  return (resize ? opened.resize({ ...resize, fit: "fill" }) : opened).extract(extract);
}

const AVATAR_WIDTH = 384;
const BANNER_WIDTH = 1280;
const LOGO_SIDE = 480;

/** One after the other: at once they would take three times the memory. */
async function formsOf(pixels: Pixels, slot: Slot): Promise<MadeFile[]> {
  const files: MadeFile[] = [];
  const forms = slot === "avatar" ? AVATAR : slot === "banner" ? BANNER : LOGO;
  for (const form of forms) files.push(await formOf(pixels, form));
  return files;
}

type Form = { end: string; format: Format; width: number; maxBytes: number };

async function formOf(pixels: Pixels, { end, format, width, maxBytes }: Form): Promise<MadeFile> {
  const body = await encode(await narrowed(pixels, width), format, maxBytes);
  return { end, type: `image/${format}`, bytes: body.length, body };
}

const AVATAR: Form[] = [
  { end: avatarForms.small, format: "webp", width: 192, maxBytes: 15_000 },
  { end: avatarForms.large, format: "webp", width: AVATAR_WIDTH, maxBytes: 15_000 },
  { end: avatarForms.jpeg, format: "jpeg", width: AVATAR_WIDTH, maxBytes: 20_000 },
];

const BANNER: Form[] = [
  { end: bannerForms.small, format: "webp", width: 860, maxBytes: 60_000 },
  { end: bannerForms.large, format: "webp", width: BANNER_WIDTH, maxBytes: 120_000 },
  { end: bannerForms.jpeg, format: "jpeg", width: BANNER_WIDTH, maxBytes: 160_000 },
];

const LOGO: Form[] = [
  { end: logoForms.webp, format: "webp", width: LOGO_SIDE, maxBytes: 60_000 },
  { end: logoForms.png, format: "png", width: LOGO_SIDE, maxBytes: 200_000 },
];
