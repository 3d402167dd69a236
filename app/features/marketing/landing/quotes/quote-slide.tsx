import { SampleBadge } from "#app/features/marketing/landing/section.tsx";
import type { Quote } from "#app/services/config/site-content.server.ts";
import { initials } from "#app/ui/components/characters.ts";

/** One quote of the carousel. `position`: "2 of 3". */
export function QuoteSlide({ quote, position, isSample }: { quote: Quote; position: string; isSample: boolean }) {
  return (
    <li aria-label={position}>
      <figure className="quote">
        <p>
          <StarRating rating={quote.rating} />
          {isSample && <SampleBadge />}
        </p>
        <blockquote dir="auto" className="heading">
          {quote.quote}
        </blockquote>
        <figcaption>
          <QuoteAvatar quote={quote} />
          <span className="min-w-0">
            <bdi className="font-semibold">{quote.name}</bdi>
            <small>
              <bdi>{quote.role}</bdi>
              {quote.company && (
                <>
                  {" · "}
                  <bdi>{quote.company}</bdi>
                </>
              )}
            </small>
          </span>
        </figcaption>
      </figure>
    </li>
  );
}

/** The initials are behind the image: visible while it loads and when it is missing. */
function QuoteAvatar({ quote: { name, avatar } }: { quote: Quote }) {
  return (
    <span aria-hidden="true" className="portrait heading">
      {initials(name)}
      {avatar && (
        <img
          src={avatar}
          width={48}
          height={48}
          alt=""
          loading="lazy"
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
    </span>
  );
}

/** A rating from 1 to 5 in half steps: five pale stars, and over them the filled ones, clipped to the rating. */
export function StarRating({ rating }: { rating: number }) {
  return (
    <>
      <span className="sr-only">{`Rated ${rating} out of 5 stars`}</span>
      <svg width={5 * starStep} height={20} fill="currentColor" aria-hidden="true">
        <path d={starsPath} className="text-line-strong" />
        <svg width={rating * starStep}>
          <path d={starsPath} />
        </svg>
      </svg>
    </>
  );
}

/** The distance from one star to the next, in pixels. */
const starStep = 22;

const starPath = "l2.4 5.4 5.9.6-4.4 4 1.2 5.8-5.1-3-5.1 3 1.2-5.8-4.4-4 5.9-.6z";
// Each star's path ends where it starts; the next one starts a step further.
const starsPath = `M11 2${`${starPath}m${starStep} 0`.repeat(5)}`;
