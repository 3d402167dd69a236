import { useCallback, useEffect, useState, useSyncExternalStore } from "react";

import {
  fadeDurationMs,
  initialRotation,
  loopDurationMs,
  preloadLeadMs,
  preloadNext,
  removeCovered,
  showNext,
} from "./loops.ts";

/**
 * Which of `count` loops to render, and whether they run. There are none before hydration, and none at all for visitors who asked for
 * reduced motion or reduced data. They stop while the element with `visibilityRef` or the tab is out of sight, and while the visitor has
 * paused them, which the browser remembers for the next visit.
 */
export function useLoops(count: number) {
  const isAllowed = useSyncExternalStore(subscribeToPreferences, isMotionAllowed, () => false);
  const isTabVisible = useSyncExternalStore(subscribeToTabVisibility, isTabInFront, () => false);
  const [isInWindow, setInWindow] = useState(false);
  const [isPaused, setPaused] = usePaused(isAllowed);
  const [rotation, setRotation] = useState(initialRotation);
  const isRunning = isAllowed && isTabVisible && isInWindow && !isPaused;
  // No loop is loaded before they run for the first time.
  const [hasRun, setHasRun] = useState(false);
  if (isRunning && !hasRun) setHasRun(true);

  const visibilityRef = useCallback((element: HTMLDivElement) => {
    const observer = new IntersectionObserver((entries) => setInWindow(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Timers. After a pause the current loop runs for its full duration again.
  const { shown, covered } = rotation;
  useEffect(() => {
    if (!isRunning) return;
    const timers = [
      setTimeout(() => setRotation(preloadNext), loopDurationMs - preloadLeadMs),
      setTimeout(
        () => setRotation((current) => (current.shown === shown ? showNext(current, count) : current)),
        loopDurationMs,
      ),
    ];
    return () => timers.forEach(clearTimeout);
  }, [isRunning, shown, count]);
  useEffect(() => {
    if (covered === undefined) return;
    const timer = setTimeout(() => setRotation(removeCovered), fadeDurationMs);
    return () => clearTimeout(timer);
  }, [covered]);

  return {
    rotation: isAllowed && hasRun ? rotation : undefined,
    visibilityRef,
    isAllowed,
    isRunning,
    isPaused,
    setPaused,
  };
}

const preferenceQueries = ["(prefers-reduced-motion: reduce)", "(prefers-reduced-data: reduce)"];

function isMotionAllowed(): boolean {
  return !preferenceQueries.some((query) => matchMedia(query).matches) && !isDataSaverOn();
}

function subscribeToPreferences(onChange: () => void) {
  const queries = preferenceQueries.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", onChange);
  return () => queries.forEach((query) => query.removeEventListener("change", onChange));
}

/** Chromium's data saver (Network Information API). Other browsers report it through the media query, or not at all. */
function isDataSaverOn(): boolean {
  const { connection }: { connection?: unknown } = { connection: Reflect.get(navigator, "connection") };
  return typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
}

function isTabInFront(): boolean {
  return document.visibilityState === "visible";
}

function subscribeToTabVisibility(onChange: () => void) {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

const pauseKey = "meishi.background";

/** The visitor's last choice, stored in the browser if it allows storage. */
function usePaused(isAllowed: boolean): [boolean, (isPaused: boolean) => void] {
  const [chosen, setChosen] = useState<boolean>();
  const isPaused = chosen ?? (isAllowed && readStoredPause());
  return [
    isPaused,
    (isPaused) => {
      setChosen(isPaused);
      storePause(isPaused);
    },
  ];
}

function readStoredPause(): boolean {
  try {
    return localStorage.getItem(pauseKey) === "paused";
  } catch {
    // A browser that denies storage throws on access.
    return false;
  }
}

function storePause(isPaused: boolean) {
  try {
    if (isPaused) localStorage.setItem(pauseKey, "paused");
    else localStorage.removeItem(pauseKey);
  } catch {
    // Without storage the choice lasts while the page is open.
    return;
  }
}
