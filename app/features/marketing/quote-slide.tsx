import type { Quote } from "#app/services/site-content.server.ts";
import { initials } from "#app/ui/initials.ts";

import { QuoteStars } from "./quote-stars.tsx";
import { SampleMark } from "./sample-mark.tsx";

/** One quote of the carousel. `place` is "2 of 3". */
export function QuoteSlide({ quote, place, isSample }: { quote: Quote; place: string; isSample: boolean }) {
  return (
    <li aria-label={place}>
      <figure className="quote">
        <p>
          <QuoteStars rating={quote.rating} />
          {isSample && <SampleMark />}
        </p>
        <blockquote dir="auto" className="heading">
          {quote.quote}
        </blockquote>
        <figcaption>
          <Face quote={quote} />
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

/** The initials stand behind the picture: they are seen while it loads, and where it is missing. */
function Face({ quote: { name, avatar } }: { quote: Quote }) {
  return (
    <span aria-hidden="true" className="face heading">
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
