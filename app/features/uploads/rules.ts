/**
 * What a file is for. An owner has one file per slot: an avatar, a banner, a resume, a logo for each card
 * ("logo:<card id>"), images of links ("picture:<random id>"), which a link names by their key, and images of wallet passes
 * ("pass-background:<random id>", "pass-logo:<random id>"), which the designs of passes name by their key.
 */
export type Slot =
  | "avatar"
  | "banner"
  | "resume"
  | `logo:${string}`
  | `picture:${string}`
  | `pass-background:${string}`
  | `pass-logo:${string}`;

/**
 * A part of the upright image, whose proportions its slot decides: `x` and `size`, the width of the part, are fractions of the image's width,
 * `y` is a fraction of its height.
 */
export type Crop = { x: number; y: number; size: number };

/** The largest accepted file. "under 5MB": one of exactly 5 * 1024 * 1024 bytes is refused. */
export const maxUploadBytes = 5 * 1024 * 1024 - 1;

/** The most pixels that are decoded. */
export const maxImagePixels = 40_000_000;
/** libvips holds whole rows while it works: an image of 4,000,000 by 9 pixels, in 280 kB, took six gigabytes. */
export const maxImageSide = 16_384;

/** For all stored files of one account, counting each variant of an image. */
export const storageQuota = { bytes: 50_000_000, files: 200 } as const;

/** Uploads per account: enough to try out images for an hour, too few to keep a server busy. */
export const uploadLimit = { name: "upload", max: 60, windowMs: 10 * 60_000 } as const;

/** Returns "logo:7f…" unchanged, and undefined for text that isn't a slot. */
export function readSlot(text: string): Slot | undefined {
  if (text === "avatar" || text === "banner" || text === "resume") return text;
  const [, kind, id] = /^(logo|picture|pass-background|pass-logo):([A-Za-z0-9_-]{1,64})$/.exec(text) ?? [];
  if (kind === "logo") return `logo:${id}`;
  if (kind === "pass-background" || kind === "pass-logo") return `${kind}:${id}`;
  return kind === "picture" ? `picture:${id}` : undefined;
}

/** The id of the card whose logo is in this slot; undefined for the other slots. */
export function cardIdOf(slot: Slot): string | undefined {
  return slot.startsWith("logo:") ? slot.slice("logo:".length) : undefined;
}

/** The random id of a link's image; undefined for the other slots. */
export function linkImageIdOf(slot: Slot): string | undefined {
  return slot.startsWith("picture:") ? slot.slice("picture:".length) : undefined;
}

/** The kind and the random id of an image of wallet passes; undefined for the other slots. */
export function passImageOf(slot: string): { kind: "background" | "logo"; id: string } | undefined {
  const [, kind, id = ""] = /^pass-(background|logo):(.+)$/.exec(slot) ?? [];
  return kind === "background" || kind === "logo" ? { kind, id } : undefined;
}

/** A resume always has the same path, so a new one overwrites the old. An image gets a new path with each upload. */
export function hasFixedPath(slot: Slot): boolean {
  return slot === "resume";
}

/** The id of the user whose resume is at a storage path, "resumes/<id>/resume.pdf"; undefined for other paths. */
export function resumeOwner(path: string): string | undefined {
  return /^resumes\/([A-Za-z0-9_-]+)\/resume\.[a-z]+$/.exec(path)?.[1];
}

/** The storage area and key prefix of an upload's files. `at` (epoch milliseconds) distinguishes two uploads of one slot. */
export function storageLocation(slot: Slot, ownerId: string, at: number): { area: string; keyPrefix: string } {
  if (slot === "resume") return { area: "resumes", keyPrefix: `resumes/${ownerId}/resume` };
  if (slot === "avatar") return { area: "avatars", keyPrefix: `avatars/${ownerId}/avatar_${at}` };
  if (slot === "banner") return { area: "banners", keyPrefix: `banners/${ownerId}/banner_${at}` };
  const passImage = passImageOf(slot);
  if (passImage)
    return { area: "pass-assets", keyPrefix: `pass-assets/${ownerId}/${passImage.kind}s/pass-${passImage.id}_${at}` };
  const linkImageId = linkImageIdOf(slot);
  if (linkImageId !== undefined) return { area: "pictures", keyPrefix: `pictures/${ownerId}/${linkImageId}_${at}` };
  return { area: "pass-assets", keyPrefix: `pass-assets/${ownerId}/logos/logo_${at}` };
}

/** A time in epoch milliseconds that is later than the previous upload's, even if the clock stands still or goes back. */
export function nextTime(previousKeyPrefix: string | undefined, now: number): number {
  const previous = Number(/_(\d+)$/.exec(previousKeyPrefix ?? "")?.[1] ?? 0);
  return Math.max(now, previous + 1);
}

/** Why a file is not accepted: a message for the user, an HTTP status, and when a limit ends, in epoch milliseconds. */
export type Refusal = { kind: "refused"; status: RefusalStatus; message: string; until?: number };

/**
 * 401 account deleted, 403 beyond the plan, 404 no such card, 409 another upload is running, 412 another version, 413 too large, 415
 * unsupported format, 422 invalid file, 429 too many uploads, 503 busy, 507 quota exceeded.
 */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 503 | 507;

export function refuse(status: RefusalStatus, message: string): Refusal {
  return { kind: "refused", status, message };
}
