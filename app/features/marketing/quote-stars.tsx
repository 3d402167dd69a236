/** A rating from 1 to 5 in steps of a half: five quiet stars, and over them as many as it has, cut off in the middle of one too. */
export function QuoteStars({ rating }: { rating: number }) {
  return (
    <>
      <span className="sr-only">{`Rated ${rating} of 5 stars`}</span>
      <svg width={5 * STEP} height={20} fill="currentColor" aria-hidden="true">
        <path d={stars} className="text-line-strong" />
        <svg width={rating * STEP}>
          <path d={stars} />
        </svg>
      </svg>
    </>
  );
}

/** From one star to the next, in pixels. */
const STEP = 22;

const point = "l2.4 5.4 5.9.6-4.4 4 1.2 5.8-5.1-3-5.1 3 1.2-5.8-4.4-4 5.9-.6z";
// Each ends where it began, and the next one is a step further.
const stars = `M11 2${`${point}m${STEP} 0`.repeat(5)}`;
