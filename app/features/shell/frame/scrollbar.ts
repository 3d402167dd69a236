import { useEffect } from "react";

/** After the last scroll or pointer event, in milliseconds. */
const hideAfterMs = 600;
const idleAfterMs = 150;
/** The distance from the edge within which the pointer counts, in CSS pixels. */
const edgeDistance = 24;

/**
 * Sets the state of the window's scrollbar on `<html data-scrollbar>`: `scrolling`, `idle` shortly after, `interacting` while the pointer is
 * near it, else `hidden`. theme.css draws the states, which all take the same space.
 */
export function useScrollbar(): void {
  useEffect(() => {
    const root = document.documentElement;
    let timer = 0;
    const setState = (state: string, after = 0, next = () => {}) => {
      root.dataset["scrollbar"] = state;
      clearTimeout(timer);
      if (after) timer = window.setTimeout(next, after);
    };
    const hide = () => setState("hidden");
    const rest = () => setState("idle", hideAfterMs - idleAfterMs, hide);
    const isHeld = () => root.dataset["scrollbar"] === "interacting";
    const onScroll = () => isHeld() || setState("scrolling", idleAfterMs, rest);
    const onMove = ({ clientX }: PointerEvent) => {
      if (clientX > root.clientWidth - edgeDistance) setState("interacting");
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
