import { useCallback, useRef, useState } from "react";

import type { Quote } from "#app/services/config/site-content.server.ts";
import { IconButton } from "#app/ui/components/button.tsx";

import { QuoteSlide } from "./quote-slide.tsx";

/**
 * Quotes side by side. The browser scrolls and snaps by touch, wheel and arrow keys without JavaScript; the buttons and dots need JavaScript and
 * appear in space reserved for them.
 */
export function QuoteCarousel({ quotes, isSample }: { quotes: Quote[]; isSample: boolean }) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number>();
  const readPosition = (element: HTMLDivElement) => setCurrent(nearestSlide(element, quotes.length));

  // The strip may have been scrolled before hydration.
  const attach = useCallback(
    (element: HTMLDivElement | null) => {
      strip.current = element;
      if (element) setCurrent(nearestSlide(element, quotes.length));
    },
    [quotes.length],
  );

  const scrollBy = (slides: number) => strip.current?.scrollBy({ left: slides * slideStep(strip.current) });
  return (
    <div role="group" aria-roledescription="carousel" aria-label="Quotes">
      <div
        ref={attach}
        role="region"
        aria-label="Quotes, side by side"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => readPosition(event.currentTarget)}
        className="strip"
      >
        <ul>
          {quotes.map((quote, index) => (
            <QuoteSlide key={index} quote={quote} position={`${index + 1} of ${quotes.length}`} isSample={isSample} />
          ))}
        </ul>
      </div>
      {quotes.length > 1 && <Controls count={quotes.length} current={current} onMove={scrollBy} />}
    </div>
  );
}

type ControlsProps = { count: number; current: number | undefined; onMove: (slides: number) => void };

/** `current` is undefined until hydration. */
function Controls({ count, current, onMove }: ControlsProps) {
  return (
    <div className={`mt-4 flex gap-2.5 ${current === undefined ? "invisible" : ""}`}>
      <div className="dots">
        {Array.from({ length: count }, (_, index) => (
          <button
            key={index}
            type="button"
            aria-label={`Quote ${index + 1}`}
            aria-current={index === current ? "true" : undefined}
            onClick={() => onMove(index - (current ?? 0))}
          />
        ))}
      </div>
      <Arrow label="Previous quote" path="M15 5l-7 7 7 7" isOff={current === 0} onPress={() => onMove(-1)} />
      <Arrow label="Next quote" path="M9 5l7 7-7 7" isOff={current === count - 1} onPress={() => onMove(1)} />
    </div>
  );
}

type ArrowProps = { label: string; path: string; isOff: boolean; onPress: () => void };

/** At either end it is off with `aria-disabled`, which keeps the focus; `disabled` would drop it to the top of the page. */
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

type ScrollPosition = { scrollLeft: number; clientWidth: number; scrollWidth: number };

/** How far a button scrolls, in pixels: 90% of the visible width. */
export function slideStep({ clientWidth }: Pick<ScrollPosition, "clientWidth">): number {
  return 0.9 * clientWidth;
}

/** The index of the slide nearest to the scroll position, of `count` slides. The end of the strip is the last slide. */
export function nearestSlide({ scrollLeft, clientWidth, scrollWidth }: ScrollPosition, count: number): number {
  const scrollableWidth = scrollWidth - clientWidth;
  if (scrollableWidth <= 0 || count < 2) return 0;
  // Overscrolling and zooming can put the position slightly outside the strip.
  return Math.min(count - 1, Math.max(0, Math.round((scrollLeft / scrollableWidth) * (count - 1))));
}
