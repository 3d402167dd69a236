/** How long one loop is shown until the next begins to cover it, in milliseconds. */
export const turnTime = 7000;
/** How long the next one takes to cover it. */
export const fadeTime = 1500;
/** How long before its turn the next one is asked for: a third of a megabyte on a slow phone. */
export const loadAhead = 2500;

/** Which of the loops are there: the one that is shown, the one it covers for as long as that takes, and soon the next one. */
export type Turn = { shown: number; covered: number | undefined; isNextHere: boolean };

export const firstTurn: Turn = { shown: 0, covered: undefined, isNextHere: false };

export function bringNext(turn: Turn): Turn {
  return { ...turn, isNextHere: true };
}

export function showNext({ shown }: Turn, count: number): Turn {
  return { shown: (shown + 1) % count, covered: shown, isNextHere: false };
}

export function dropCovered(turn: Turn): Turn {
  return { ...turn, covered: undefined };
}

export type LoopRole = "shown" | "covered" | "next";

/** What a loop has to do now; undefined for those that are not needed, and so are not loaded. */
export function roleOf(loop: number, { shown, covered, isNextHere }: Turn, count: number): LoopRole | undefined {
  if (loop === shown) return "shown";
  if (loop === covered) return "covered";
  return isNextHere && loop === (shown + 1) % count ? "next" : undefined;
}
