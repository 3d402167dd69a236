import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

import { useLiveEvents } from "#app/features/live/client/live-client.ts";

/** How often the page reads its figures again at most, and how often while people are looking, who leave without an event. */
const minGapMs = 5_000;
const presentCheckMs = 60_000;

/**
 * How many people are looking, and the reason why the figures of the page stay current: they are read again when someone visits. Without
 * script, it is the number at the time of the page.
 */
export function PresentStatus({ present }: { present: number }) {
  const { revalidate } = useRevalidator();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(0);
  const readSoon = () => {
    if (timer.current !== undefined || document.visibilityState !== "visible") return;
    const wait = Math.max(0, readAt.current + minGapMs - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      readAt.current = performance.now();
      void revalidate();
    }, wait);
  };
  useLiveEvents(["visit", "lead.created"], readSoon);
  // Timers, and a window that is shown again: what happened meanwhile isn't repeated.
  useEffect(() => {
    const check = present > 0 ? setInterval(readSoon, presentCheckMs) : undefined;
    document.addEventListener("visibilitychange", readSoon);
    return () => {
      clearInterval(check);
      document.removeEventListener("visibilitychange", readSoon);
    };
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <p role="status" className="flex min-h-5 items-center gap-2 text-sm print:hidden">
      {present > 0 && (
        <>
          <span aria-hidden="true" className="size-2 rounded-full bg-success" />
          <span title="Opened your profile or a card in the last five minutes">{presentText(present)}</span>
        </>
      )}
    </p>
  );
}

function presentText(present: number): string {
  return present === 1 ? "1 person is looking now" : `${present} people are looking now`;
}
