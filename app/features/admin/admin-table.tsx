import { formatDate, formatTime } from "#app/services/base/format.ts";

/** "November 21, 2026, 14:02 UTC". */
export function Time({ at, isDay = false }: { at: number; isDay?: boolean }) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} className="tabular-nums">
      {isDay ? formatDate(at) : `${formatDate(at)}, ${formatTime(at)} UTC`}
    </time>
  );
}
