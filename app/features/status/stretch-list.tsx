import type { Stretch } from "./uptime.ts";
import { spanWords, stretchCause, stretchTime } from "./words.ts";

/** The latest times in which something failed or nobody recorded anything. */
export function StretchList({ stretches }: { stretches: readonly Stretch[] }) {
  if (stretches.length === 0) {
    return <p className="border-t border-line py-4 text-muted">Nothing failed, and no minute is missing.</p>;
  }
  return (
    <ol>
      {stretches.map((stretch) => (
        <li
          key={`${stretch.kind} ${stretch.from}`}
          className="items-baseline justify-between gap-x-6 border-t border-line py-4 sm:flex"
        >
          <p className="min-w-0">
            {stretchCause(stretch)} <span className="text-muted">for {spanWords(stretch.until - stretch.from)}</span>
          </p>
          <p className="text-sm text-muted tabular-nums">{stretchTime(stretch)} UTC</p>
        </li>
      ))}
    </ol>
  );
}
