import { useEffect, useState, useSyncExternalStore } from "react";

/** False on the server and while its page is taken over, when nobody knows yet what the reader's clock and window say. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(neverChanges, yes, no);
}

/** The server's time in epoch milliseconds, going on from `start`, a step every few seconds: a clock set wrong here changes nothing. */
export function useNow(start: number): number {
  const [now, setNow] = useState(start);
  useEffect(() => {
    const opened = performance.now();
    const timer = setInterval(() => setNow(start + performance.now() - opened), 5_000);
    return () => clearInterval(timer);
  }, [start]);
  return now;
}

/** Whether the window is wide enough for the preview to stand beside the form; false while nobody knows. */
export function useIsWide(): boolean {
  return useSyncExternalStore(hearWidth, isWide, no);
}

const wide = "(min-width: 64rem)";

function isWide(): boolean {
  return window.matchMedia(wide).matches;
}

function hearWidth(changed: () => void) {
  const list = window.matchMedia(wide);
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}

const neverChanges = () => () => undefined;
const yes = () => true;
const no = () => false;
