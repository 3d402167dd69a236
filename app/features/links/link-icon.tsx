import { useEffect, useState, useSyncExternalStore } from "react";

import { Icon } from "#app/ui/icon.tsx";

import type { brandDrawing } from "./brands.ts";
import { kindOf } from "./rules.ts";

/** The icon of a link: its brand's, an envelope, a receiver, or the globe of any other page. */
export function LinkIcon({ url }: { url: string }) {
  const kind = kindOf(url);
  return kind === "page" ? <BrandIcon url={url} /> : <Icon name={kind} />;
}

/**
 * The server has every drawing. The browser's copy of the page has none: what the server drew stays as it is, and the set is
 * fetched only where a row is drawn that the server did not (the editor's preview).
 */
function BrandIcon({ url }: { url: string }) {
  const draw = useSyncExternalStore(subscribe, drawingNow, drawingNow);
  const [isOurs] = useState(useSyncExternalStore(subscribe, yes, no));
  useEffect(() => {
    if (isOurs && !draw) fetchDrawings();
  }, [isOurs, draw]);
  const { d, isLine } = draw?.(url) ?? globe;
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 24 24"
      {...(isLine ? line : shape)}
      aria-hidden="true"
      suppressHydrationWarning
    >
      <path d={d} suppressHydrationWarning />
    </svg>
  );
}

/** False while the browser takes over what the server drew. */
const yes = () => true;
const no = () => false;

const line = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 1.7,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;
const shape = { fill: "currentColor" } as const;

const globe = {
  d: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M3.3 12h17.4M12 3c4.7 5 4.7 13 0 18M12 3c-4.7 5-4.7 13 0 18",
  isLine: true,
};

type Draw = typeof brandDrawing;

// Not a plain import: the browser's bundle would then have the set as well.
let fetched: Draw | undefined = import.meta.env.SSR ? (await import("./brands.ts")).brandDrawing : undefined;
let isAskedFor = false;
const waiting = new Set<() => void>();

function drawingNow(): Draw | undefined {
  return fetched;
}

function subscribe(redraw: () => void) {
  waiting.add(redraw);
  return () => waiting.delete(redraw);
}

function fetchDrawings() {
  if (isAskedFor) return;
  isAskedFor = true;
  void import("./brands.ts").then(
    (brands) => {
      fetched = brands.brandDrawing;
      for (const redraw of waiting) redraw();
    },
    // Offline: the globe stays, and the next row asks again.
    () => (isAskedFor = false),
  );
}
