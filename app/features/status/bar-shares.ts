import type { Tally } from "./uptime.ts";

/** What part of a bar is drawn how, from the bottom, in percent of its height. Together at most 100: the rest is before the first record. */
export type Shares = { good: number; failing: number; gap: number };

/** What is there at all can be seen, at four pixels of a phone's bar: a single minute of a day would be a twentieth of one. */
const LEAST = 8.5;

/** `elapsed`: how many minutes of that day are over. */
export function sharesOf({ minutes, good, failing, gap }: Tally, elapsed: number): Shares {
  const all = Math.max(minutes, elapsed, 1);
  const shares = { good: lifted(good / all), failing: lifted(failing / all), gap: lifted(gap / all) };
  const present = kinds.filter((kind) => shares[kind] > 0);
  const whole = Math.max((minutes / all) * 100, LEAST * present.length);
  // What the small ones were lifted by, the largest gives.
  const largest = kinds.reduce((one, other) => (shares[other] > shares[one] ? other : one));
  shares[largest] -= shares.good + shares.failing + shares.gap - whole;
  return { good: round(shares.good), failing: round(shares.failing), gap: round(shares.gap) };
}

const kinds = ["good", "failing", "gap"] as const;

function lifted(part: number): number {
  return part === 0 ? 0 : Math.max(LEAST, part * 100);
}

function round(value: number): number {
  return Math.floor(value * 100) / 100;
}
