/**
 * The variants of an uploaded image: the suffix after its storage key prefix. The numbers are widths in pixels; an avatar is square.
 * The JPEG is for mail, contact files and programs that can't read WebP.
 */
export const avatarVariants = { small: "_192.webp", large: "_384.webp", jpeg: ".jpg" } as const;
export const bannerVariants = { small: "_860.webp", large: "_1280.webp", jpeg: ".jpg" } as const;
export const logoVariants = { webp: ".webp", png: ".png" } as const;
/** Of wallet passes: 540 by 660 and 480 by 150 pixels. */
export const passBackgroundVariants = { jpeg: ".jpg" } as const;
export const passLogoVariants = { png: ".png" } as const;
/** Half as tall as it is wide. */
export const linkImageVariants = { webp: ".webp" } as const;

/**
 * The URL of a public file: `fileUrl("avatars/u1/avatar_1790000000000", "_192.webp")` -> "/files/avatars/u1/avatar_1790000000000_192.webp?v=mubbs7i8".
 * Each upload has a new URL, so browsers may cache it for a year.
 */
export function fileUrl(keyPrefix: string, suffix: string): string {
  return `/files/${keyPrefix}${suffix}?v=${versionOf(keyPrefix)}`;
}

/** The upload time in base 36. */
function versionOf(keyPrefix: string): string {
  return Number(/_(\d+)$/.exec(keyPrefix)?.[1] ?? 0).toString(36);
}

/** The URLs of an avatar's variants; undefined without an avatar. */
export function avatarUrls(keyPrefix: string | null) {
  return keyPrefix === null ? undefined : urlsOf(keyPrefix, avatarVariants);
}

/** The URLs of a banner's variants; undefined without a banner. */
export function bannerUrls(keyPrefix: string | null) {
  return keyPrefix === null ? undefined : urlsOf(keyPrefix, bannerVariants);
}

/** The URL of a link's image. */
export function linkImageUrl(keyPrefix: string): string {
  return fileUrl(keyPrefix, linkImageVariants.webp);
}

/** The URL of an uploaded image of wallet passes. */
export function passImageUrl(kind: "background" | "logo", keyPrefix: string): string {
  return fileUrl(keyPrefix, kind === "background" ? passBackgroundVariants.jpeg : passLogoVariants.png);
}

/** Whether text is the storage key prefix of an image of this owner. */
export function isLinkImageOf(ownerId: string, text: string): boolean {
  const [area, owner, name = "", ...rest] = text.split("/");
  return area === "pictures" && owner === ownerId && /^[A-Za-z0-9_-]+_\d+$/.test(name) && rest.length === 0;
}

type ImageUrls = { small: string; large: string; jpeg: string };

function urlsOf(keyPrefix: string, variants: ImageUrls): ImageUrls {
  return {
    small: fileUrl(keyPrefix, variants.small),
    large: fileUrl(keyPrefix, variants.large),
    jpeg: fileUrl(keyPrefix, variants.jpeg),
  };
}

/**
 * The content type of a public file, decided by its path alone: "avatars/<user id>/avatar_1790000000000_192.webp" -> "image/webp".
 * Undefined for every path that doesn't belong to a public image.
 */
export function publicContentType(path: string): string | undefined {
  for (const { pattern, suffixes } of publicFiles) {
    const suffix = pattern.exec(path)?.[1];
    if (suffix !== undefined && suffixes.includes(suffix))
      return contentTypes.get(suffix.slice(suffix.lastIndexOf(".")));
  }
  return undefined;
}

const publicFiles: { pattern: RegExp; suffixes: string[] }[] = [
  { pattern: /^avatars\/[A-Za-z0-9_-]+\/avatar_\d+([_.].+)$/, suffixes: Object.values(avatarVariants) },
  { pattern: /^banners\/[A-Za-z0-9_-]+\/banner_\d+([_.].+)$/, suffixes: Object.values(bannerVariants) },
  { pattern: /^pass-assets\/[A-Za-z0-9_-]+\/logos\/logo_\d+([_.].+)$/, suffixes: Object.values(logoVariants) },
  {
    pattern: /^pass-assets\/[A-Za-z0-9_-]+\/backgrounds\/pass-[A-Za-z0-9_-]+_\d+(\..+)$/,
    suffixes: Object.values(passBackgroundVariants),
  },
  {
    pattern: /^pass-assets\/[A-Za-z0-9_-]+\/logos\/pass-[A-Za-z0-9_-]+_\d+(\..+)$/,
    suffixes: Object.values(passLogoVariants),
  },
  { pattern: /^pictures\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+_\d+(\..+)$/, suffixes: Object.values(linkImageVariants) },
];

const contentTypes = new Map([
  [".webp", "image/webp"],
  [".jpg", "image/jpeg"],
  [".png", "image/png"],
]);
