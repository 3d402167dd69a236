import { useEffect, useState } from "react";
import type { RefObject } from "react";

import { bringNext, dropCovered, fadeTime, firstTurn, loadAhead, showNext, turnTime } from "./loop-turns.ts";

/**
 * Which of `count` loops are there now, and whether they run. None is before the page is hydrated, which waits until the browser has nothing else to do,
 * and none at all for people who asked for less motion or less data. They stand still while `place` or the tab is out of sight,
 * and while the reader has paused them, which is kept for the next visit.
 */
export function useLoops(place: RefObject<HTMLElement | null>, count: number) {
  const isWanted = useWanted();
  const isSeen = useSeen(place);
  const [isPaused, setPaused] = usePaused(isWanted);
  const [turn, setTurn] = useState(firstTurn);
  const isRunning = isWanted && isSeen && !isPaused;
  // Nothing is asked for before the loops have run for the first time.
  const [hasRun, setHasRun] = useState(false);
  if (isRunning && !hasRun) setHasRun(true);

  // The browser's clock. After a pause the loop that is shown has a whole turn again.
  const { shown, covered } = turn;
  useEffect(() => {
    if (!isRunning) return;
    const timers = [
      setTimeout(() => setTurn(bringNext), turnTime - loadAhead),
      setTimeout(() => setTurn((turn) => (turn.shown === shown ? showNext(turn, count) : turn)), turnTime),
    ];
    return () => timers.forEach(clearTimeout);
  }, [isRunning, shown, count]);
  useEffect(() => {
    if (covered === undefined) return;
    const timer = setTimeout(() => setTurn(dropCovered), fadeTime);
    return () => clearTimeout(timer);
  }, [covered]);

  return { turn: isWanted && hasRun ? turn : undefined, isWanted, isRunning, isPaused, setPaused };
}

/** Whether anything may move here at all. */
function useWanted(): boolean {
  const [isWanted, setWanted] = useState(false);
  // Asks the browser what its reader wishes; they may change their mind while the page is open.
  useEffect(() => {
    const wishes = ["(prefers-reduced-motion: reduce)", "(prefers-reduced-data: reduce)"].map((query) =>
      matchMedia(query),
    );
    const decide = () => setWanted(!wishes.some(({ matches }) => matches) && !savesData());
    decide();
    for (const wish of wishes) wish.addEventListener("change", decide);
    return () => wishes.forEach((wish) => wish.removeEventListener("change", decide));
  }, []);
  return isWanted;
}

/** Whether the place is in the window and the window in front. */
function useSeen(place: RefObject<HTMLElement | null>): boolean {
  const [isInWindow, setInWindow] = useState(false);
  const [isTabSeen, setTabSeen] = useState(true);
  // Only the browser knows where the reader is.
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInWindow(entries.at(-1)?.isIntersecting ?? false));
    if (place.current) observer.observe(place.current);
    const look = () => setTabSeen(document.visibilityState === "visible");
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", look);
    };
  }, [place]);
  return isInWindow && isTabSeen;
}

const pauseKey = "meishi.background";

/** What the reader chose last; kept in the browser where it keeps anything. */
function usePaused(isWanted: boolean): [boolean, (isPaused: boolean) => void] {
  const [chosen, setChosen] = useState<boolean>();
  const isPaused = chosen ?? (isWanted && keptPause());
  return [
    isPaused,
    (isPaused) => {
      setChosen(isPaused);
      keepPause(isPaused);
    },
  ];
}

function keptPause(): boolean {
  try {
    return localStorage.getItem(pauseKey) === "paused";
  } catch {
    // A browser that keeps nothing for us (it may refuse even the question) has kept no pause.
    return false;
  }
}

function keepPause(isPaused: boolean) {
  try {
    if (isPaused) localStorage.setItem(pauseKey, "paused");
    else localStorage.removeItem(pauseKey);
  } catch {
    // Then the choice holds as long as the page is open.
    return;
  }
}

/** The data saver of Chromium (Network Information API); other browsers tell by the media query, or not. */
function savesData(): boolean {
  const { connection }: { connection?: unknown } = { connection: Reflect.get(navigator, "connection") };
  return typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true;
}
