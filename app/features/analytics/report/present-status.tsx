import { useEffect } from "react";
import { useRevalidator } from "react-router";

import { useLiveEvents, useReadSoon } from "#app/features/live/live-client.ts";

/** How often the page reads its metrics again while people are looking, who leave without an event. */
const presentCheckMs = 60_000;

/**
 * How many people are looking, and the reason why the metrics of the page stay current: they are read again when someone visits. Without
 * script, it is the number at the time of the page.
 */
export function PresentStatus({ present }: { present: number }) {
  const { revalidate } = useRevalidator();
  const readSoon = useReadSoon(() => void revalidate());
  useLiveEvents(["visit", "lead.created"], readSoon);
  // Only a timer can tell that they have left.
  useEffect(() => {
    const check = present > 0 ? setInterval(readSoon, presentCheckMs) : undefined;
    return () => clearInterval(check);
  });
  return (
    <p role="status" className="flex min-h-[1.5em] items-center gap-2 text-sm print:hidden">
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
  return present === 1 ? "1 person on your pages now" : `${present} people on your pages now`;
}
