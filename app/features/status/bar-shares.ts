import type { Tally } from "./uptime.ts";

/** What part of a bar is drawn how, from the bottom, in percent of its height. Together at most 100: the rest is before the first record. */
export type Shares = { good: number; failing: number; gap: number };

/** What is there at all can be seen, at four pixels of a phone's bar: a single minute of a day would be a twentieth of one. */
const LEAST = 8.5;

/** `elapsed`: how many minutes of that day are over. */
export function sharesOf({ minutes, good, failing, gap }: Tally, elapsed: number): Shares {
  const all = Math.max(minutes, elapsed, 1);
  const lifted = [good, failing, gap].map((part) => (part === 0 ? 0 : Math.max(LEAST, (part / all) * 100)));
  const whole = Math.max((minutes / all) * 100, LEAST * lifted.filter((share) => share > 0).length);
  // What the small ones were lifted by, the others give, each by what it has above the least.
  const excess = sum(lifted) - whole;
  const above = sum(lifted.map((share) => Math.max(0, share - LEAST)));
  const [g = 0, f = 0, n = 0] = lifted.map((share) =>
    excess > 0 && share > LEAST ? share - (share - LEAST) * (excess / above) : share,
  );
  return { good: round(g), failing: round(f), gap: round(n) };
}

function sum(shares: number[]): number {
  return shares.reduce((total, share) => total + share, 0);
}

/** To a 64th, downwards: such numbers add up without an error, so three of them are never more than the whole. */
function round(share: number): number {
  return Math.floor(share * 64 + 1e-6) / 64;
}
