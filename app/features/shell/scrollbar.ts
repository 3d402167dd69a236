import { useEffect } from "react";

/** After the last sign of interest, in milliseconds. */
const HIDES_AFTER = 600;
const IDLE_AFTER = 150;
/** How near the edge a pointer has to come, in pixels. */
const NEAR = 24;

/**
 * Says on `<html data-scrollbar>` whether the window's scrollbar is wanted: `scrolling`, `idle` right after that, `interacting` while the
 * pointer is at it, else `hidden`. What that looks like, and for whom, is theme.css's business; its room stays the same.
 */
export function useScrollbar(): void {
  // Scrolling and pointers are the browser's.
  useEffect(() => {
    const root = document.documentElement;
    let timer = 0;
    const say = (state: string, after = 0, next = () => {}) => {
      root.dataset["scrollbar"] = state;
      clearTimeout(timer);
      if (after) timer = window.setTimeout(next, after);
    };
    const hide = () => say("hidden");
    const rest = () => say("idle", HIDES_AFTER - IDLE_AFTER, hide);
    const isHeld = () => root.dataset["scrollbar"] === "interacting";
    const onScroll = () => isHeld() || say("scrolling", IDLE_AFTER, rest);
    const onMove = ({ clientX }: PointerEvent) => {
      if (clientX > root.clientWidth - NEAR) say("interacting");
      else if (isHeld()) rest();
    };
    const onLeave = () => isHeld() && rest();

    hide();
    document.addEventListener("scroll", onScroll, { passive: true });
    document.addEventListener("pointermove", onMove, { passive: true });
    root.addEventListener("pointerleave", onLeave);
    return () => {
      clearTimeout(timer);
      delete root.dataset["scrollbar"];
      document.removeEventListener("scroll", onScroll);
      document.removeEventListener("pointermove", onMove);
      root.removeEventListener("pointerleave", onLeave);
    };
  }, []);
}
