import type { ReactNode } from "react";

import { formatDate, formatTime } from "#app/services/base/format.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

/** "November 21, 2026, 14:02 UTC". */
export function Time({ at, isDay = false }: { at: number; isDay?: boolean }) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} className="tabular-nums">
      {isDay ? formatDate(at) : `${formatDate(at)}, ${formatTime(at)} UTC`}
    </time>
  );
}

/** The links to the next page and back to the first. */
export function Pages({ next, first }: { next: string | undefined; first: string | undefined }): ReactNode {
  if (!next && !first) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-2.5 print:hidden">
      {first && (
        <ButtonLink size="s" href={first}>
          Newest
        </ButtonLink>
      )}
      {next && (
        <ButtonLink size="s" href={next} rel="next">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
