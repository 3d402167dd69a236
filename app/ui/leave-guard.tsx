import { useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";

import { ConfirmDialog } from "./confirm-dialog.tsx";

/** Asks before unsaved changes are left: on a link, on the browser's Back, and, in the browser's own words, when the tab closes. */
export function LeaveGuard({ isDirty, isSaving, text }: { isDirty: boolean; isSaving: boolean; text: string }) {
  const [target, setTarget] = useState<string>();
  const hasConfirmed = useRef(false);
  const asks = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => asks && currentLocation.pathname !== nextLocation.pathname,
  );

  // Closing a tab and following a plain link are the browser's doing: only its events say that they are about to happen.
  useEffect(() => {
    if (!asks) return;
    const onClick = (event: MouseEvent) => {
      const href = leavingLink(event);
      if (!href) return;
      event.preventDefault();
      setTarget(href);
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!hasConfirmed.current) event.preventDefault();
    };
    document.addEventListener("click", onClick, { capture: true });
    window.addEventListener("beforeunload", onUnload);
    return () => {
      document.removeEventListener("click", onClick, { capture: true });
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [asks]);

  const leave = () => {
    if (blocker.state === "blocked") return blocker.proceed();
    hasConfirmed.current = true;
    if (target) window.location.assign(target);
  };
  const stay = () => {
    if (blocker.state === "blocked") blocker.reset();
    setTarget(undefined);
  };
  return (
    <ConfirmDialog
      open={blocker.state === "blocked" || target !== undefined}
      title="Leave without saving?"
      text={text}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={leave}
      onCancel={stay}
    />
  );
}

/** Where a click would lead this tab, when that is away from this page. */
function leavingLink(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || (link.target !== "" && link.target !== "_self") || link.hasAttribute("download")) return undefined;
  const isHere = link.origin === location.origin && link.pathname === location.pathname;
  return isHere || !/^https?:$/.test(link.protocol) ? undefined : link.href;
}
