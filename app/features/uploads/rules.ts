/**
 * What a file is for. An owner has one in each: their picture, their banner, their resume, and a logo for each card
 * ("logo:<card id>").
 */
export type Slot = "avatar" | "banner" | "resume" | `logo:${string}`;

/** A square of the upright picture: `x` and `y` of its corner and its side as fractions of the picture's width, height and width. */
export type Crop = { x: number; y: number; size: number };

/** "under 5MB": a file of exactly 5 * 1024 * 1024 bytes is what people call 5 MB, and still taken; one byte more is not. */
export const maxUploadBytes = 5 * 1024 * 1024;

/** For all files of one account, as they are kept: pictures in each form that they are served in. */
export const room = { bytes: 50_000_000, files: 200 } as const;

/** Uploads of one account: enough for whoever tries out pictures for an hour, too few to keep a server busy. */
export const uploadLimit = { name: "upload", max: 60, windowMs: 10 * 60_000 } as const;

/** "logo:7f…" as it is, anything that is no slot undefined. */
export function readSlot(text: string): Slot | undefined {
  if (text === "avatar" || text === "banner" || text === "resume") return text;
  return LOGO.test(text) ? `logo:${text.slice("logo:".length)}` : undefined;
}

const LOGO = /^logo:[A-Za-z0-9_-]{1,64}$/;

/** The card that a logo is of. */
export function cardOf(slot: Slot): string | undefined {
  return slot.startsWith("logo:") ? slot.slice("logo:".length) : undefined;
}

/** A resume's place is always the same, and what is put there replaces what was; a picture's is new each time. */
export function hasFixedPlace(slot: Slot): boolean {
  return slot === "resume";
}

/** Where the files of an upload lie, without the ends of their names. `at` is what tells two uploads apart, epoch milliseconds. */
export function placeOf(slot: Slot, ownerId: string, at: number): { area: string; stem: string } {
  if (slot === "resume") return { area: "resumes", stem: `resumes/${ownerId}/resume` };
  if (slot === "avatar") return { area: "avatars", stem: `avatars/${ownerId}/avatar_${at}` };
  if (slot === "banner") return { area: "banners", stem: `banners/${ownerId}/banner_${at}` };
  return { area: "pass-assets", stem: `pass-assets/${ownerId}/logos/logo_${at}` };
}

/** Epoch milliseconds: never those of the upload before, also when the clock stands still or goes back. */
export function nextTime(stemBefore: string | undefined, now: number): number {
  const before = Number(/_(\d+)$/.exec(stemBefore ?? "")?.[1] ?? 0);
  return Math.max(now, before + 1);
}
