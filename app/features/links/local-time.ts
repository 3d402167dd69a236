/** How far a clock on the wall is ahead of UTC at a moment, in minutes. */
export type OffsetAt = (time: number) => number;

/** Of the zone that this machine, or the owner's browser, is in. */
export const ownOffset: OffsetAt = (time) => -new Date(time).getTimezoneOffset();

/**
 * "2026-11-24T09:00" on the wall, as `<input type="datetime-local">` says it, as epoch milliseconds. Twice a year clocks jump:
 * a time that they skip is taken as far behind the jump as it says (02:30 -> 03:30, `isSkipped`), of one that comes twice
 * the first is taken (`isTwice`). Undefined for what is no such text.
 */
export function momentOf(
  typed: string,
  offsetAt: OffsetAt = ownOffset,
): { time: number; isSkipped: boolean; isTwice: boolean } | undefined {
  const wall = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? Date.parse(`${longYear(typed)}Z`) : Number.NaN;
  if (Number.isNaN(wall)) return undefined;
  // No zone is further than a day from UTC, and none jumps twice in two days.
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

/** The text that `<input type="datetime-local">` takes for a moment: "2026-11-24T09:00". */
export function localText(time: number, offsetAt: OffsetAt = ownOffset): string {
  const wall = wallAt(time, offsetAt);
  return Math.abs(wall) > 8.64e15 ? "" : new Date(wall).toISOString().slice(0, -8);
}

const minute = 60_000;
const day = 24 * 60 * minute;

function wallAt(time: number, offsetAt: OffsetAt): number {
  return time + offsetAt(time) * minute;
}

/** Browsers let six digits be typed for a year; ECMAScript wants a sign before more than four. */
function longYear(typed: string): string {
  return typed.indexOf("-") > 4 ? `+${typed.padStart(typed.length - typed.indexOf("-") + 6, "0")}` : typed;
}
