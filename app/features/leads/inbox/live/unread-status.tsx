import { useLiveEvents, useReadSoon } from "#app/features/live/live-client.ts";

/** Counts again when a lead comes in, for the number in the header. Shows nothing. */
export function UnreadStatus({ onCount }: { onCount: (unread: number) => void }) {
  const readSoon = useReadSoon(
    () => void readLeadCounts(new URLSearchParams()).then((counts) => counts && onCount(counts.unread)),
  );
  useLiveEvents(["lead.created"], readSoon);
  return null;
}

/** What `GET /functions/v1/lead-counts` returns. Undefined when it can't be found out. */
export async function readLeadCounts(query: URLSearchParams): Promise<LeadCounts | undefined> {
  try {
    const response = await fetch(`/functions/v1/lead-counts?${query}`);
    const body: unknown = await response.json();
    if (typeof body !== "object" || !body || !("unread" in body)) return undefined;
    return { unread: Number(body.unread), unlisted: "unlisted" in body ? Number(body.unlisted) : 0 };
  } catch {
    return undefined;
  }
}

type LeadCounts = { unread: number; unlisted: number };
