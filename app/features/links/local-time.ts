/** How far local time is ahead of UTC at a time, in minutes. */
export type OffsetAt = (time: number) => number;

/** In the time zone of this device. */
export const deviceOffset: OffsetAt = (time) => -new Date(time).getTimezoneOffset();

/**
 * Parses the value of `<input type="datetime-local">`, such as "2026-11-24T09:00", into epoch milliseconds. When clocks change, a time
 * that they skip is moved past the gap (02:30 -> 03:30, `isSkipped`), and for a time that occurs twice the first one is used (`isTwice`).
 * Undefined for other text.
 */
export function parseLocalTime(
  typed: string,
  offsetAt: OffsetAt = deviceOffset,
): { time: number; isSkipped: boolean; isTwice: boolean } | undefined {
  const wall = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? Date.parse(`${toExtendedYear(typed)}Z`) : Number.NaN;
  if (Number.isNaN(wall)) return undefined;
  // No zone is more than a day from UTC, and none changes its clocks twice in two days.
  const [before, after] = [wall - day, wall + day].map(offsetAt);
  const times = [before, after].map((offset = 0) => wall - offset * minute);
  const real = times.filter((time) => wallAt(time, offsetAt) === wall);
  const [early = 0] = times;
  return {
    time: real.length > 0 ? Math.min(...real) : early,
    isSkipped: real.length === 0,
    isTwice: new Set(real).size > 1,
  };
}

/** The value of `<input type="datetime-local">` for a time: "2026-11-24T09:00". */
export function toLocalTime(time: number, offsetAt: OffsetAt = deviceOffset): string {
  const wall = wallAt(time, offsetAt);
  return Math.abs(wall) > 8.64e15 ? "" : new Date(wall).toISOString().slice(0, -8);
}

const minute = 60_000;
const day = 24 * 60 * minute;

function wallAt(time: number, offsetAt: OffsetAt): number {
  return time + offsetAt(time) * minute;
}

/** Browsers accept years of up to six digits; ECMAScript requires a sign before more than four. */
function toExtendedYear(typed: string): string {
  return typed.indexOf("-") > 4 ? `+${typed.padStart(typed.length - typed.indexOf("-") + 6, "0")}` : typed;
}

/** "Nov 24, 2026, 09:00", or "Nov 24, 2026, 09:00 UTC" where the reader's time zone is unknown (`isLocal` false). */
export function formatDateTime(time: number, isLocal: boolean): string {
  // Outside the range of Date, from a form that isn't ours.
  if (Math.abs(time) > 8.64e15) return "an invalid date";
  return isLocal ? localFormat.format(time) : `${utcFormat.format(time)} UTC`;
}

const dateTimeOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;
const localFormat = new Intl.DateTimeFormat("en-US", dateTimeOptions);
const utcFormat = new Intl.DateTimeFormat("en-US", { ...dateTimeOptions, timeZone: "UTC" });
