import { MINUTES_PER_DAY } from "./rules.ts";
import type { Tally } from "./uptime.ts";

/** What part of a bar is drawn how, from the bottom, in percent of its height. Together at most 100: the rest is still to come, or before the first record. */
export type Shares = { good: number; failing: number; gap: number };

/** What is there at all can be seen: a single minute of a day would be a twentieth of a pixel. */
const LEAST = 8;

export function sharesOf({ minutes, failing, gap }: Tally): Shares {
  const whole = (minutes / MINUTES_PER_DAY) * 100;
  const least = Math.min(LEAST, whole / 2);
  const partOf = (some: number) => (some === 0 ? 0 : Math.max(least, (some / MINUTES_PER_DAY) * 100));
  const wrong = { failing: partOf(failing), gap: partOf(gap) };
  const together = wrong.failing + wrong.gap;
  // Two that were both lifted to what can be seen may be more than there is.
  const scale = together > whole ? whole / together : 1;
  const rounded = { failing: round(wrong.failing * scale), gap: round(wrong.gap * scale) };
  return { good: Math.max(0, round(whole - rounded.failing - rounded.gap)), ...rounded };
}

function round(value: number): number {
  return Math.floor(value * 100) / 100;
}
