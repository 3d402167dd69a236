import { maxOfflineMs } from "#app/features/leads/rules.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

/** How many kiosk links a card may have. */
export const maxDevices = 10;

/** In UTF-16 code units. */
export const maxNameLength = 60;

/** What the page of a device says above the form, unless the owner wrote something else. */
export const defaultHeading = "Leave your contact";

export const defaultDeviceName = "Tablet at the booth";

/** Where the owner of a phone that was handed over takes it back. */
export const unlockPath = "/hand-over/unlock";

/** The name of the link that a browser shows which was handed over: "Handed over: Safari on iPhone". */
export function handedOverName(browser: string): string {
  return `Handed over: ${browser}`.slice(0, maxNameLength);
}

/** Four to eight digits. */
export function isPin(text: string): boolean {
  return /^\d{4,8}$/.test(text);
}

/** What one request of a device may send. The longest form takes some 18,000 characters. */
export const batchLimits = { entries: 25, entryLength: 40_000, bytes: 1_000_000 } as const;

const hourMs = 3_600_000;

export const kioskLimits = {
  /** What a device sends, whatever becomes of it: a link that fell into wrong hands can't fill the database at once. */
  sent: { name: "leads of a kiosk", max: 3_000, windowMs: hourMs },
  requests: { name: "requests of a kiosk", max: 1_200, windowMs: hourMs },
  /** A device loads its page every five minutes. */
  pages: { name: "pages of a kiosk", max: 600, windowMs: hourMs },
} as const satisfies Record<string, RateLimit>;

/** A link that isn't used for so long is deleted. */
export const unusedMs = 365 * 24 * hourMs;

/** How exactly the time of the last contact is stored. */
export const lastSeenStepMs = 60_000;

/** The thanks are shown for so long. */
export const thanksMs = 10_000;

/** A form that is half filled in is cleared after so long without input, and says so before. */
export const idleMs = 60_000;
export const idleWarningMs = 15_000;

/** An empty form gives way to the invitation after so long without input. */
export const inviteMs = 120_000;

/** How long a device waits before it sends again after so many failures. */
export function retryDelayMs(failures: number): number {
  return (retrySeconds[Math.min(failures, retrySeconds.length) - 1] ?? 1) * 1_000;
}

const retrySeconds = [1, 2, 5, 10, 30, 60];

/** Whether the server refuses what was filled in on a page that was loaded then. Both times by the server's clock. */
export function isTooOld(loadedAt: number, now: number): boolean {
  return now - loadedAt > maxOfflineMs;
}

/** What the server won't accept is deleted from the device so long after its refusal. */
export const refusedStorageMs = maxOfflineMs;

/**
 * When a visitor agreed, by the server's clock. A device's clock may be wrong, but measures how long ago it was: `givenAt` and `sentAt`
 * are its times. Never before the form was loaded (`loadedAt`, by the server's clock), and never in the future. A form that was loaded too
 * long ago has that time: anyone who repeats a request can choose `sentAt`, and could bring back what was erased.
 */
export function givenTimeOf({ givenAt, sentAt, loadedAt, now }: DeviceTimes): number {
  if (isTooOld(loadedAt, now)) return loadedAt;
  const age = Math.max(0, sentAt - givenAt);
  return Math.min(now, Math.max(now - age, Math.min(loadedAt, now)));
}

type DeviceTimes = { givenAt: number; sentAt: number; loadedAt: number; now: number };

/** The browser's cache with the stored pages of kiosk links. */
export const pageCache = "meishi-kiosk";
