import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** A faster navigation feels immediate, and a message that flashes up would only distract. */
const slowAfterMs = 400;

/** Shows and announces that a page is loading. Forms that are being sent have their own messages. */
export function LoadingStatus() {
  const { state, formMethod } = useNavigation();
  const isLoading = state === "loading" && !formMethod;
  const [isSlow, setSlow] = useState(false);
  // Only a timer can tell that loading is slow.
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return (
    <p role="status" className={isSlow ? visibleClass : "sr-only"}>
      {isSlow && "Loading..."}
    </p>
  );
}

const visibleClass =
  "fixed inset-x-0 top-4 z-50 mx-auto w-fit rounded-full border border-line-strong bg-raised px-5 py-2 text-sm shadow-card";

const reloadedAtKey = "meishi.reloaded-at";
const minReloadIntervalMs = 10 * 60 * 1000;

/**
 * Handles a lazily loaded script that failed to load (`vite:preloadError`). On a page that was open while the site was updated it is gone for
 * good. If there is no unsaved input the page is reloaded, once; otherwise a notice says what to do.
 */
export function StaleNotice() {
  const [isStale, setStale] = useState(false);
  // Vite reports the failure as an event of the window.
  useEffect(() => {
    const onFailure = () => {
      // A reload without a connection would lose the page. The part shows a notice with a button to retry.
      if (!navigator.onLine) return;
      if (hasUnsavedInput() || !claimReload()) setStale(true);
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

/** Fires `beforeunload` like a browser that closes the tab, which LeaveGuard cancels for unsaved changes; then compares plain fields. */
export function hasUnsavedInput(): boolean {
  if (!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))) return true;
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "input:not([type=checkbox], [type=radio]), textarea",
  );
  return [...fields].some((field) => field.value !== field.defaultValue);
}

/** Whether the page may be reloaded: not again within ten minutes, and not when that can't be stored. */
function claimReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < minReloadIntervalMs) return false;
    sessionStorage.setItem(reloadedAtKey, String(Date.now()));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
