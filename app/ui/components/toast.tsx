import { useEffect, useLayoutEffect, useRef, useState } from "react";

import { ToneIcon } from "./notice.tsx";

export type ToastContent = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

/**
 * A short message over the page for five seconds, which toast.css measures and which pause while it is hovered or focused. It can be closed
 * without script (`method="dialog"`). It stays when `message` becomes undefined, because only one response contains the message.
 */
export function Toast({ message }: { message: ToastContent | undefined }) {
  const [{ latest, current, number }, setState] = useState({ latest: message, current: message, number: 0 });
  if (message !== latest)
    setState({ latest: message, current: message ?? current, number: message ? number + 1 : number });
  const close = () => setState({ latest: message, current: undefined, number });
  return (
    <div className="ui-toast-region" role={current?.tone === "error" ? "alert" : "status"}>
      {current && <ToastDialog key={number} content={current} onClose={close} />}
    </div>
  );
}

function ToastDialog({ content, onClose }: { content: ToastContent; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // One toast at a time, although a page may have its own beside the document's. Before the paint, so that two are never visible.
  useLayoutEffect(() => {
    const others = document.querySelectorAll<HTMLDialogElement>("dialog.ui-toast[open]");
    for (const other of others) if (other !== dialog.current) other.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      open
      className="ui-toast"
      data-tone={content.tone}
      // Else Esc would do nothing in Chromium while a toast is open, not even in a modal dialog around it.
      closedby="closerequest"
      aria-label="Message"
      onClose={onClose}
      onAnimationEnd={closeAfterAnimation(onClose)}
    >
      <ToneIcon tone={content.tone} size={20} />
      <p className="ui-toast-text">
        <strong>{content.title}</strong>
        {content.text && <span>{content.text}</span>}
      </p>
      <form method="dialog">
        <button aria-label="Dismiss">
          <svg
            width="20"
            height="20"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.7"
            aria-hidden="true"
          >
            <path d="M6 6l12 12M18 6 6 18" />
          </svg>
        </button>
      </form>
    </dialog>
  );
}

/** Closes the toast of an earlier response when a later one reports a problem: "sent" must not stand beside "too often". */
export function useCloseToast(problem: object | undefined): void {
  // A toast is an open dialog of the document, which the page doesn't render.
  useEffect(() => {
    if (!problem) return;
    for (const toast of document.querySelectorAll<HTMLDialogElement>(oldToasts)) toast.close();
  }, [problem]);
}

/** A toast with an error already reports the problem. */
const oldToasts = "dialog.ui-toast[open]:not([data-tone=error])";

function closeAfterAnimation(onClose: () => void) {
  return ({ animationName }: React.AnimationEvent) => {
    if (animationName !== "ui-toast-in") onClose();
  };
}

/** The latest toast of a page: the one that a response carries when it arrives, then whichever the page sets itself. */
export function useLatestToast(received: ToastContent | undefined) {
  const [last, setLast] = useState(received);
  const [toast, setToast] = useState(received);
  if (received !== last) {
    setLast(received);
    if (received) setToast(received);
  }
  return [toast, setToast] as const;
}
