import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** Below that a step from page to page feels immediate, and a word that flashes up would be in its way. */
const PATIENCE_MS = 400;

/** Says that the next page is on its way, to eyes and to screen readers. A form that is being sent has words of its own. */
export function LoadingStatus() {
  const { state, formMethod } = useNavigation();
  const isLoading = state === "loading" && !formMethod;
  const [isSlow, setSlow] = useState(false);
  // Only the clock knows that it takes long.
  useEffect(() => {
    if (!isLoading) return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isLoading]);
  return (
    <p role="status" className={isSlow ? shown : "sr-only"}>
      {isSlow && "Loading..."}
    </p>
  );
}

const shown =
  "fixed inset-x-0 top-4 z-50 mx-auto w-fit rounded-full border border-line-strong bg-raised px-5 py-2 text-sm shadow-card";
