import { useLiveEvents, useReadSoon } from "#app/features/live/live-client.ts";

import { readLeadCounts } from "./lead-counts-client.ts";

/** Counts again when a lead comes in, for the number in the header. Shows nothing. */
export function UnreadStatus({ onCount }: { onCount: (unread: number) => void }) {
  const readSoon = useReadSoon(
    () => void readLeadCounts(new URLSearchParams()).then((counts) => counts && onCount(counts.unread)),
  );
  useLiveEvents(["lead.created"], readSoon);
  return null;
}
