import { useEffect, useRef } from "react";

/**
 * For what a field says when it is left: told at once, but while a finger or a mouse button is down only when it is up again.
 * Otherwise the message would push away the very button that is being pressed, and the click would go nowhere.
 */
export function useAfterPress(): (work: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const options = { capture: true, signal: ending.signal };
    const press = () => (isPressed.current = true);
    const release = () => {
      isPressed.current = false;
      // The click comes right after the button is up.
      setTimeout(() => waiting.current.splice(0).forEach((work) => work()));
    };
    window.addEventListener("pointerdown", press, options);
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, release, options);
    return () => ending.abort();
  }, []);
  return (work) => (isPressed.current ? void waiting.current.push(work) : work());
}
