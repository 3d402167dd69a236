import { useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";

import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";

/**
 * Asks before unsaved changes are lost: by a link, by the Back button, or (the browser's own question) when the tab closes. With `onSave`
 * it also offers to save first; that is called with the path to open after the save.
 */
export function LeaveGuard({ isDirty, isSaving, text, backText, backTo, onSave }: LeaveGuardProps) {
  const [link, setLink] = useState<string>();
  const hasConfirmed = useRef(false);
  const isActive = isDirty && !isSaving;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname,
  );
  const location = blocker.state === "blocked" ? blocker.location : undefined;
  const target = location ? location.pathname + location.search + location.hash : link;

  // Only the browser's events tell that a tab is closed or a plain link is followed.
  useEffect(() => {
    if (!isActive) return;
    const onClick = (event: MouseEvent) => {
      const href = findLeavingHref(event);
      if (!href) return;
      event.preventDefault();
      setLink(href);
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
    if (link) window.location.assign(link);
  };
  const stay = () => {
    if (blocker.state === "blocked") blocker.reset();
    setLink(undefined);
  };
  const path = target && pathHere(target);
  const save = () => {
    stay();
    if (path) onSave?.(path);
  };
  return (
    <ConfirmDialog
      open={target !== undefined}
      title="Leave without saving?"
      text={path?.split("?")[0] === backTo ? backText : text}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={leave}
      onCancel={stay}
      {...(onSave && path && { alternative: { label: "Save and continue", onChoose: save } })}
    />
  );
}

type LeaveGuardProps = {
  isDirty: boolean;
  isSaving: boolean;
  text: string;
  /** Asks about the way back, which leads to the path `backTo`. */
  backText: string;
  backTo: string;
  onSave?: ((path: string) => void) | undefined;
};

/** What a form sends, and the path to open after it is saved. */
export function withNext(form: HTMLFormElement, path: string): FormData {
  const fields = new FormData(form);
  fields.set("next", path);
  return fields;
}

/** The path that `withNext` added. For a `clientAction` alone: a server must not follow what a form names. */
export function readNext(form: FormData): string | undefined {
  const next = form.get("next");
  return typeof next === "string" ? pathHere(next) : undefined;
}

/** The path of a URL of this site. */
function pathHere(href: string): string | undefined {
  const url = URL.parse(href, window.location.href);
  return url?.origin === window.location.origin ? url.pathname + url.search + url.hash : undefined;
}

/** The URL to which a click would take this tab, if that leaves the page. */
function findLeavingHref(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || (link.target !== "" && link.target !== "_self") || link.hasAttribute("download")) return undefined;
  const isHere = link.origin === location.origin && link.pathname === location.pathname;
  return isHere || !/^https?:$/.test(link.protocol) ? undefined : link.href;
}
