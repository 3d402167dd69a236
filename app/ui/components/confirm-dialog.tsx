import { useId, useRef } from "react";
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Modal } from "./modal.tsx";

/** Asks before something that can't be undone. Its first button is the safe one. */
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

  return (
    <Modal
      ref={dialog}
      open={open}
      className="w-[calc(100%-40px)] max-w-110 p-6.5"
      labelledBy={`${id}-title`}
      describedBy={text ? `${id}-text` : undefined}
      // Closed by Esc or a phone's back gesture while `open` is still true.
      onClose={() => open && onCancel()}
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
    </Modal>
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
