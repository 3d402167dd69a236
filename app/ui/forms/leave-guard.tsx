import { useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";

import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";

/** Asks before unsaved changes are lost: by a link, by the Back button, or (the browser's own question) when the tab closes. */
export function LeaveGuard({ isDirty, isSaving, text }: { isDirty: boolean; isSaving: boolean; text: string }) {
  const [target, setTarget] = useState<string>();
  const hasConfirmed = useRef(false);
  const isActive = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname,
  );

  // Only the browser's events tell that a tab is closed or a plain link is followed.
  useEffect(() => {
    if (!isActive) return;
    const onClick = (event: MouseEvent) => {
      const href = findLeavingHref(event);
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
  }, [isActive]);

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

/** The URL to which a click would take this tab, if that leaves the page. */
function findLeavingHref(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || (link.target !== "" && link.target !== "_self") || link.hasAttribute("download")) return undefined;
  const isHere = link.origin === location.origin && link.pathname === location.pathname;
  return isHere || !/^https?:$/.test(link.protocol) ? undefined : link.href;
}
