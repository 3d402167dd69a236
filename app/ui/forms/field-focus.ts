import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";

/**
 * Moves the focus to the first invalid field of the form each time `rejection`, what the server said about the last submission, is a new
 * object. When no field is invalid, `onNone` is called instead.
 */
export function useFocusFirstError(
  form: RefObject<HTMLElement | null>,
  rejection: object | undefined,
  onNone?: () => void,
): void {
  const moveFocus = useEffectEvent(() => {
    if (!focusFirstError(form.current)) onNone?.();
  });
  useEffect(() => {
    if (rejection) moveFocus();
  }, [rejection]);
}

/** Moves the focus to the first invalid field. Returns false without one. */
export function focusFirstError(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  if (!field) return false;
  field.focus();
  // Its error is at its upper edge.
  if (field.matches("fieldset")) field.scrollIntoView();
  return true;
}

/**
 * For messages that appear when a field loses the focus. While a pointer is down they wait until it is up: otherwise the message would
 * move the button that is being pressed, and the click would be lost.
 */
export function useAfterPointerUp(): (showMessage: () => void) => void {
  const isPressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const cleanup = new AbortController();
    const options = { capture: true, signal: cleanup.signal };
    const press = () => (isPressed.current = true);
    const release = () => {
      isPressed.current = false;
      // The click event follows the release.
      setTimeout(() => waiting.current.splice(0).forEach((showMessage) => showMessage()));
    };
    window.addEventListener("pointerdown", press, options);
    for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, release, options);
    return () => cleanup.abort();
  }, []);
  return (showMessage) => (isPressed.current ? void waiting.current.push(showMessage) : showMessage());
}
