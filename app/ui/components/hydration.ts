import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { RefObject } from "react";

/** False on the server and during hydration, while the time zone and the size of the window are unknown. */
export function useIsHydrated(): boolean {
  return useBrowserValue(() => true, false);
}

/** What `read` returns in the browser, for example whether it supports a feature; `fallback` on the server and during hydration. */
export function useBrowserValue<Value>(read: () => Value, fallback: Value): Value {
  return useSyncExternalStore(subscribeToNothing, read, () => fallback);
}

/**
 * Calls `onRead` once with the element after hydration. A visitor may have typed before the script ran, or the browser may have restored
 * a value: the DOM holds it, but React doesn't know it.
 */
export function useValuesBeforeHydration<Fields extends HTMLElement>(
  ref: RefObject<Fields | null>,
  onRead: (fields: Fields) => void,
): void {
  const readFields = useEffectEvent(() => {
    if (ref.current) onRead(ref.current);
  });
  useEffect(() => readFields(), []);
}

const subscribeToNothing = () => () => undefined;
