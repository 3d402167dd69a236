import { channels, overlay } from "#app/features/wallet/apple/pass-images.server.ts";
import type { PassPhotos } from "#app/features/wallet/apple/pass-images.server.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { tintOpacity } from "#app/features/wallet/pass-style.ts";
import { iconSvg } from "#app/features/shell/icons/icon-files.ts";
import { sealDrawing } from "#app/features/shell/seal-drawing.ts";
import { loadSharp, rasterize } from "#app/services/images/sharp.server.ts";

/** In pixels. https://developers.google.com/wallet/generic/resources/brand-guidelines */
const hero = { width: 1032, height: 336 };
const logoSide = 660;
/** Google cuts the logo to a circle, and requires a margin of 15 %. */
const logoMargin = Math.round(logoSide * 0.15);

type Content = Pick<PassContent, "images" | "colors">;

/** The background under its tint, as a banner. */
export async function drawHero({ images, colors }: Content, { background }: PassPhotos): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const pixels = background ? await readBanner(background) : gradient(colors.background);
  if (images.tint) overlay(pixels, images.tint, tintOpacity);
  return sharp(pixels, { raw: { ...hero, channels: 3 } })
    .jpeg({ quality: 85 })
    .toBuffer();
}

async function readBanner(photo: Uint8Array): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(photo)
    .resize({ ...hero, fit: "cover" })
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** The two colors of the card from top to bottom, as RGB. */
function gradient(colors: Content["colors"]["background"]): Buffer {
  const [from = [], to = []] = colors.map(channels);
  const pixels = Buffer.alloc(hero.width * hero.height * 3);
  for (let y = 0; y < hero.height; y++) {
    const share = y / (hero.height - 1);
    const color = [0, 1, 2].map((at) => Math.round((from[at] ?? 0) * (1 - share) + (to[at] ?? 0) * share));
    pixels.fill(Buffer.from(color), y * hero.width * 3, (y + 1) * hero.width * 3);
  }
  return pixels;
}

/** The avatar, or else the logo on the card's color, or our seal. */
export async function drawGoogleLogo({ images, colors }: Content, photos: PassPhotos): Promise<Uint8Array> {
  const sharp = await loadSharp();
  if (photos.avatar)
    return sharp(photos.avatar)
      .resize(logoSide, logoSide, { fit: "cover" })
      .toColourspace("srgb")
      .png({ palette: true, effort: 1 })
      .toBuffer();
  const side = logoSide - 2 * logoMargin;
  const isOwn = images.logo.kind === "card" || images.logo.kind === "asset";
  const image = isOwn && photos.logo ? photos.logo : await rasterize(iconSvg(sealDrawing, "tile"), { width: side });
  const fitted = await sharp(image).resize(side, side, { fit: "inside" }).png().toBuffer();
  return sharp({ create: { width: logoSide, height: logoSide, channels: 3, background: colors.background[0] } })
    .composite([{ input: fitted, gravity: "centre" }])
    .png({ compressionLevel: 9 })
    .toBuffer();
}
