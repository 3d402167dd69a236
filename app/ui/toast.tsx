import { useLayoutEffect, useRef, useState } from "react";

import { ToneIcon } from "./tone-icon.tsx";

export type ToastWords = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

/**
 * One short message over the page, for five seconds (toast.css keeps the time and waits while it is hovered or focused).
 * The browser closes it without our script, through `method="dialog"`. It stays when `message` goes away in the meantime:
 * the answer that carried it is the only one that does.
 */
export function Toast({ message }: { message: ToastWords | undefined }) {
  const [{ latest, shown, number }, setState] = useState({ latest: message, shown: message, number: 0 });
  if (message !== latest) setState({ latest: message, shown: message ?? shown, number: message ? number + 1 : number });
  const close = () => setState({ latest: message, shown: undefined, number });
  return (
    <div className="ui-toast-place" role={shown?.tone === "error" ? "alert" : "status"}>
      {shown && <OneToast key={number} words={shown} onGone={close} />}
    </div>
  );
}

function OneToast({ words, onGone }: { words: ToastWords; onGone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // One at a time, wherever they stand: a page may have a place of its own beside the document's. Before it is painted: two are never seen.
  useLayoutEffect(() => {
    const others = document.querySelectorAll<HTMLDialogElement>("dialog.ui-toast[open]");
    for (const other of others) if (other !== dialog.current) other.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      open
      className="ui-toast"
      data-tone={words.tone}
      aria-label="Message"
      onClose={onGone}
      onAnimationEnd={whenOut(onGone)}
    >
      <ToneIcon tone={words.tone} size={20} />
      <p className="ui-toast-words">
        <strong>{words.title}</strong>
        {words.text && <span>{words.text}</span>}
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

function whenOut(onGone: () => void) {
  return ({ animationName }: React.AnimationEvent) => {
    if (animationName !== "ui-toast-in") onGone();
  };
}
