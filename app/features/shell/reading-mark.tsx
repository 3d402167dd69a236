import { useEffect, useRef } from "react";

type ReadingMarkProps = {
  /** Of the page's own first section, which is read before anything else is asked for. Without one it is the page's first screen. */
  hasOpening: boolean;
  onReadOn: () => void;
};

/**
 * Nothing to see, at the end of the page: it tells when somebody went on past the page's opening, and at once where the end is less than a
 * screen away, so that there is little to go on to.
 */
export function ReadingMark({ hasOpening, onReadOn }: ReadingMarkProps) {
  const end = useRef<HTMLDivElement>(null);
  // The browser knows what is in view.
  useEffect(() => {
    const opening = document.querySelector(hasOpening ? "#content > section" : "header");
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ target, isIntersecting }) => isIntersecting !== (target === opening))) onReadOn();
      },
      { rootMargin: `${hasOpening ? 0 : 100}% 0px 100%` },
    );
    for (const element of [opening, end.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [hasOpening, onReadOn]);
  return <div ref={end} />;
}
