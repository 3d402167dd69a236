import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";

import { Button } from "./button.tsx";

/**
 * Asks before something that can't be taken back. The browser's own dialog: it keeps the focus inside, Esc cancels,
 * and the focus goes back to where it was. The first button in it is the safe one.
 */
export function ConfirmDialog({
  open,
  title,
  text,
  confirmLabel,
  cancelLabel = "Cancel",
  ...rest
}: ConfirmDialogProps) {
  const { tone = "danger", isBusy = false, onConfirm, onCancel } = rest;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // Only the browser can open a dialog as a modal one: there is no attribute for it.
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);

  // Esc, or a phone's back gesture: the browser has closed it, and `open` does not know yet.
  const whenClosed = () => open && onCancel();

  return (
    <dialog
      ref={dialog}
      className={look}
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
      onClose={whenClosed}
    >
      <h2 id={`${id}-title`} className="text-lg leading-7 font-semibold">
        {title}
      </h2>
      {text && (
        <div id={`${id}-text`} className="mt-2 text-muted">
          {text}
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2.5 max-sm:*:grow">
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button variant={tone === "danger" ? "danger" : "main"} disabled={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** `danger` (the default) for what deletes or loses something. */
  tone?: "danger" | "plain";
  isBusy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

const look =
  "ui-confirm m-auto w-[calc(100%-40px)] max-w-110 rounded-card border border-line-strong bg-raised p-6.5 text-text shadow-card";
