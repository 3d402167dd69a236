import { useEffect, useRef, useState } from "react";

import type { Quote } from "#app/services/site-content.server.ts";
import { IconButton } from "#app/ui/button.tsx";

import { nearestSlide, stepOf } from "./quote-scroll.ts";
import { QuoteSlide } from "./quote-slide.tsx";

/**
 * Quotes side by side. The browser scrolls and snaps, by finger, wheel and arrow keys, so it needs no script; the buttons and dots
 * come with it, into the room that is kept for them.
 */
export function QuoteCarousel({ quotes, isSample }: { quotes: Quote[]; isSample: boolean }) {
  const strip = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number>();
  const follow = () => {
    if (strip.current) setAt(nearestSlide(strip.current, quotes.length));
  };

  // Where the strip stands is known to the browser alone; it may have been scrolled before this script was there.
  useEffect(follow, [quotes.length]);

  const scrollBy = (slides: number) => strip.current?.scrollBy({ left: slides * stepOf(strip.current) });
  return (
    <div role="group" aria-roledescription="carousel" aria-label="Quotes">
      <div
        ref={strip}
        role="region"
        aria-label="Quotes, side by side"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached with the keyboard
        tabIndex={0}
        onScroll={follow}
        className="strip"
      >
        <ul>
          {quotes.map((quote, index) => (
            <QuoteSlide key={index} quote={quote} place={`${index + 1} of ${quotes.length}`} isSample={isSample} />
          ))}
        </ul>
      </div>
      {quotes.length > 1 && <Controls count={quotes.length} at={at} onMove={scrollBy} />}
    </div>
  );
}

/** `at` is undefined until the script is there. */
function Controls({ count, at, onMove }: { count: number; at: number | undefined; onMove: (slides: number) => void }) {
  return (
    <div className={`mt-4 flex gap-2.5 ${at === undefined ? "invisible" : ""}`}>
      <div className="dots">
        {Array.from({ length: count }, (_, index) => (
          <button
            key={index}
            type="button"
            aria-label={`Quote ${index + 1}`}
            aria-current={index === at ? "true" : undefined}
            onClick={() => onMove(index - (at ?? 0))}
          />
        ))}
      </div>
      <Arrow label="Previous quote" path="M15 5l-7 7 7 7" isOff={at === 0} onPress={() => onMove(-1)} />
      <Arrow label="Next quote" path="M9 5l7 7-7 7" isOff={at === count - 1} onPress={() => onMove(1)} />
    </div>
  );
}

type ArrowProps = { label: string; path: string; isOff: boolean; onPress: () => void };

/** At the end it is off but keeps the focus: who presses it with the keyboard would be thrown to the top of the page. */
function Arrow({ label, path, isOff, onPress }: ArrowProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={isOff}
      onClick={() => isOff || onPress()}
      className="border-line-strong! aria-disabled:cursor-not-allowed aria-disabled:opacity-35"
    >
      <svg
        width="20"
        height="20"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    </IconButton>
  );
}
