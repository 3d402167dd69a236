import { drawableName } from "#app/services/images/fit-text.server.ts";
import { rasterize, loadSharp } from "#app/services/images/sharp.server.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import type { BusinessCardColors, BusinessCardLayout } from "#app/features/drawing/business-card-style.ts";
import { businessCardSvg } from "#app/features/drawing/business-card-svg.server.ts";
import type { BusinessCardText, BusinessCardImages } from "#app/features/drawing/business-card-svg.server.ts";
import { svgDocument, portraitSvg, sealSvg, textPart } from "#app/features/drawing/svg-parts.server.ts";
import type { Align } from "#app/features/drawing/svg-parts.server.ts";

/** The usual size of Open Graph images, in pixels. */
export const previewSize = { width: 1200, height: 630 };

const inkPage = { ground: "#0e0f12", muted: "#a3a7b0" };

/** The link preview of a card: the card on the background of its page. */
export async function cardPreview(card: CardPreviewData): Promise<Buffer> {
  const width = 864;
  const height = (width * 55) / 91;
  const x = (previewSize.width - width) / 2;
  const y = card.hasBranding ? 30 : (previewSize.height - height) / 2;
  const { ground, muted } = card.page ?? inkPage;
  const paper = await businessCardSvg(card, { x, y, width });
  const made = card.hasBranding ? await brandingSvg({ middle: previewSize.width / 2, y: 573, color: muted }) : "";
  return encodePreview(svgDocument({ ...previewSize, ground }, paper + made));
}

export type CardPreviewData = BusinessCardText &
  BusinessCardImages & {
    colors?: BusinessCardColors;
    layout?: BusinessCardLayout;
    page?: typeof inkPage;
    hasBranding: boolean;
  };

export type ProfilePreviewData = {
  name: string;
  /** Drawn when no font has the letters of the name. */
  handle?: string;
  bio: string;
  /** Without "https://": "meishi.example/u/ada". */
  address: string;
  colors: Record<"ground" | "text" | "muted" | "line" | "avatar" | "avatarText", string>;
  /** The colors of the banner's gradient. */
  banner: readonly [string, string, string];
  hasBranding: boolean;
};

/** JPEGs. */
export type ProfilePreviewPhotos = { avatar: Uint8Array | undefined; bannerPhoto: Uint8Array | undefined };

/** The link preview of a profile: the head of the page in its theme. */
export async function profilePreview(profile: ProfilePreviewData & ProfilePreviewPhotos): Promise<Buffer> {
  const { bio, address, colors } = profile;
  const name = await drawableName(profile.name, profile.handle);
  const isMirrored = textDirection(name) === "rtl";
  const align: Align = isMirrored ? "end" : "start";
  const pad = 80;
  const inner = previewSize.width - 2 * pad;
  const radius = 104;
  const middle = { x: isMirrored ? previewSize.width - pad - radius : pad + radius, y: bannerHeight + 8 };
  const portrait = await portraitSvg(
    { name, photo: profile.avatar },
    { ...middle, radius, colors: { background: colors.avatar, letters: colors.avatarText } },
  );
  const common = { width: inner, align } as const;
  const title = await textPart(name, {
    ...common,
    face: "name",
    size: 84,
    smallest: 42,
    lines: 2,
    oneLineDownTo: 0.66,
    height: bio ? 150 : 190,
    color: colors.text,
    lineHeight: 1.14,
    tracking: -0.015,
  });
  const isTall = title.height > 110;
  const about = await textPart(bio, {
    ...common,
    face: "text",
    size: 32,
    smallest: 26,
    lines: isTall ? 1 : 2,
    color: colors.muted,
    lineHeight: 1.36,
  });
  const top = bannerHeight + radius + 26;
  const foot = await footerSvg({ address, colors, isMirrored, pad, hasBranding: profile.hasBranding });
  const room = 548 - top;
  const gap = Math.max(0, Math.min(28, (room - title.height - about.height) / 3));
  return encodePreview(
    svgDocument(
      { ...previewSize, ground: colors.ground },
      bannerSvg(profile.banner, profile.bannerPhoto) +
        `<circle cx="${middle.x}" cy="${middle.y}" r="${radius + 9}" fill="${colors.ground}"/>` +
        portrait +
        title.at({ x: pad, y: top + gap / 2 }) +
        about.at({ x: pad, y: top + gap / 2 + title.height + 10 }) +
        foot,
    ),
  );
}

const bannerHeight = 196;

function bannerSvg([first, second, third]: readonly [string, string, string], photo: Uint8Array | undefined): string {
  const { width } = previewSize;
  if (photo) {
    return (
      `<clipPath id="banner"><rect width="${width}" height="${bannerHeight}"/></clipPath>` +
      `<image clip-path="url(#banner)" width="${width}" height="${bannerHeight}" preserveAspectRatio="xMidYMid slice" ` +
      `href="data:image/jpeg;base64,${Buffer.from(photo).toString("base64")}"/>`
    );
  }
  return (
    `<linearGradient id="dusk" x1="0" y1="0" x2="1" y2="0.35"><stop stop-color="${first}"/>` +
    `<stop offset=".5" stop-color="${second}"/><stop offset="1" stop-color="${third}"/></linearGradient>` +
    `<rect width="${width}" height="${bannerHeight}" fill="url(#dusk)"/>`
  );
}

async function footerSvg({ address, colors, isMirrored, pad, hasBranding }: FooterOptions): Promise<string> {
  const width = previewSize.width - 2 * pad;
  const style = { face: "text", size: 26, smallest: 18, color: colors.muted, lineHeight: 1.2 } as const;
  const where = await textPart(address, {
    ...style,
    width: hasBranding ? width - 330 : width,
    align: isMirrored ? "end" : "start",
  });
  const made = await textPart("Made with Meishi", { ...style, width: 300 });
  const whereX = isMirrored && hasBranding ? pad + 330 : pad;
  const madeX = isMirrored ? pad : previewSize.width - pad - made.width - 42;
  const branding = hasBranding
    ? sealSvg({ x: madeX, y: 556 }, 30) + made.at({ x: madeX + 42, y: 571 - made.height / 2 })
    : "";
  return where.at({ x: whereX, y: 571 - where.height / 2 }) + branding;
}

type FooterOptions = Pick<ProfilePreviewData, "address" | "colors" | "hasBranding"> & {
  isMirrored: boolean;
  pad: number;
};

async function brandingSvg({ middle, y, color }: { middle: number; y: number; color: string }): Promise<string> {
  const label = await textPart("Made with Meishi", { face: "text", size: 24, width: 300, color });
  const start = middle - (label.width + 38) / 2;
  return sealSvg({ x: start, y }, 28) + label.at({ x: start + 40, y: y + 14 - label.height / 2 });
}

/** Encodes in full color if that is small enough, and with a palette otherwise: chats scale photos down, which hides the difference. */
export async function encodePreview(svg: string): Promise<Buffer> {
  const sharp = await loadSharp();
  const drawn = sharp(await rasterize(svg)).removeAlpha();
  let image = await drawn.clone().png({ compressionLevel: 9 }).toBuffer();
  for (const colours of [256, 64]) {
    if (image.length <= maxPreviewBytes) break;
    image = await drawn
      .clone()
      .png({ palette: true, colours, effort: 2, dither: colours / 256 })
      .toBuffer();
  }
  return image;
}

/** The largest image that chats load automatically. */
const maxPreviewBytes = 95_000;
