type Strip = { scrollLeft: number; clientWidth: number; scrollWidth: number };

/** How far a press of a button leads, in pixels: 90 % of what is seen. */
export function stepOf({ clientWidth }: Pick<Strip, "clientWidth">): number {
  return 0.9 * clientWidth;
}

/** The slide at which a strip of `count` stands, from 0. The last one is reached at the end of the way, whatever is left of it. */
export function nearestSlide({ scrollLeft, clientWidth, scrollWidth }: Strip, count: number): number {
  const way = scrollWidth - clientWidth;
  if (way <= 0 || count < 2) return 0;
  // A strip that was drawn over its edge, or zoomed, stands a little before or behind its ends.
  return Math.min(count - 1, Math.max(0, Math.round((scrollLeft / way) * (count - 1))));
}
