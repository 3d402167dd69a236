import { useEffect, useEffectEvent, useRef } from "react";
import { useRouteLoaderData } from "react-router";

import type { LiveEvent, LiveKind } from "#app/services/events/live/live-event.ts";

/**
 * Calls `listener` with the events of these kinds of the signed-in user's account, from all windows and devices, this one included. Also
 * called with `reload`, when events may have been missed: ask for everything again. An event has ids only, may come twice, and doesn't come
 * without script, so it must only update what is right without it. The connection opens some seconds after the page is loaded.
 */
export function useLiveEvents(kinds: readonly LiveKind[], listener: (event: LiveEvent) => void): void {
  const userId = useRouteLoaderData<{ viewer?: { id: string } }>("root")?.viewer?.id;
  const onEvent = useEffectEvent((event: LiveEvent) => {
    if (event.kind === "reload" || kinds.includes(event.kind)) listener(event);
  });
  useEffect(() => {
    if (userId === undefined) return undefined;
    const call = (event: LiveEvent) => onEvent(event);
    listeners.add(call);
    const timer = setTimeout(() => connect(userId), Math.max(0, startDelayMs - performance.now()));
    return () => {
      clearTimeout(timer);
      listeners.delete(call);
      if (listeners.size === 0) disconnect();
    };
  }, [userId]);
}

/**
 * Returns a function that calls `read` soon, but at most every five seconds, and while the page is hidden not at all. `read` is also called
 * when the page is shown again: what happened meanwhile isn't repeated.
 */
export function useReadSoon(read: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAt = useRef(-minGapMs);
  const latest = useRef(read);
  const readSoon = () => {
    if (timer.current !== undefined || document.visibilityState !== "visible") return;
    const wait = Math.max(0, readAt.current + minGapMs - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      readAt.current = performance.now();
      latest.current();
    }, wait);
  };
  // The browser says when the page is shown, and what is read then belongs to what the page shows then.
  useEffect(() => {
    latest.current = read;
    document.addEventListener("visibilitychange", readSoon);
    return () => document.removeEventListener("visibilitychange", readSoon);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return readSoon;
}

/** How often at most a page requests what has changed. */
const minGapMs = 5_000;

const listeners = new Set<(event: LiveEvent) => void>();
let connected: { userId: string; close: Promise<() => void> } | undefined;

/** Starts with what happened since the page was requested. */
function connect(userId: string): void {
  if (connected?.userId === userId) return;
  disconnect();
  const position = `-${Math.round(Math.min(performance.now(), maxAgeMs))}`;
  const close = import("./live-connection.ts").then(({ openLiveConnection }) =>
    openLiveConnection({ userId, position }, (event) => listeners.forEach((call) => call(event))),
  );
  connected = { userId, close };
  // Without the script there are no events, as without script.
  close.catch(() => (connected = undefined));
}

function disconnect() {
  connected?.close.then(
    (close) => close(),
    () => undefined,
  );
  connected = undefined;
}

/** The page comes first. */
const startDelayMs = 3_000;
const maxAgeMs = 15_000;
