/**
 * The forms in which a picture is served: what stands behind its stem in the store. Widths in pixels; an avatar is square.
 * The JPEG is for mail, contact files and whoever can't read WebP.
 */
export const avatarForms = { small: "_192.webp", large: "_384.webp", jpeg: ".jpg" } as const;
export const bannerForms = { small: "_860.webp", large: "_1280.webp", jpeg: ".jpg" } as const;
export const logoForms = { webp: ".webp", png: ".png" } as const;

/**
 * Where a public file is: `fileUrl("avatars/u1/avatar_1790000000000", "_192.webp")` -> "/files/avatars/u1/avatar_1790000000000_192.webp?v=mubbs7i8".
 * A new upload has a new address, so that browsers may keep each for a year.
 */
export function fileUrl(stem: string, form: string): string {
  return `/files/${stem}${form}?v=${versionOf(stem)}`;
}

/** The time in a stem's name, shorter. */
function versionOf(stem: string): string {
  return Number(/_(\d+)$/.exec(stem)?.[1] ?? 0).toString(36);
}
