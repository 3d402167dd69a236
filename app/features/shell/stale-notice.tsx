import { useEffect, useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

const KEY = "meishi.reloaded-at";
const AGAIN_AFTER_MS = 10 * 60 * 1000;

/**
 * A part of the page could not be loaded (Vite then raises `vite:preloadError`, and throws the failure on to whoever wanted the part). On
 * a page that was open while the site was updated it never will be: its scripts are gone. Where nothing would be lost the page
 * is loaded anew, once; else, or if that did not help, it says what to do.
 */
export function StaleNotice() {
  const [isStale, setStale] = useState(false);
  // An event of the window, and a page to load anew.
  useEffect(() => {
    const onFailure = () => {
      // Without a connection the page would be gone altogether; the part itself says so and offers another try.
      if (!navigator.onLine) return;
      if (hasUnsaved() || !isFirst()) setStale(true);
      else location.reload();
    };
    window.addEventListener("vite:preloadError", onFailure);
    return () => window.removeEventListener("vite:preloadError", onFailure);
  }, []);
  if (!isStale) return null;
  const reload = (
    <Button size="s" onClick={() => location.reload()}>
      Reload
    </Button>
  );
  return (
    <div className="sticky top-2 z-40 mx-auto mt-4 w-full max-w-[40rem] px-4 print:hidden">
      <Notice tone="error" title="This page is out of date" action={reload}>
        The site may have been updated. Save what you typed, then reload.
      </Notice>
    </div>
  );
}

/**
 * Asks as a browser does before it closes a tab: whoever holds something unsaved objects (ui/leave-guard.tsx). Plain forms do not; there it
 * is what was typed that counts.
 */
function hasUnsaved(): boolean {
  if (!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))) return true;
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=checkbox], [type=radio]), textarea",
  );
  return [...fields].some((field) => field.value !== field.defaultValue);
}

/** A part that is missing for good must not load the page again and again. Where that can't be noted, it is not loaded at all. */
function isFirst(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
