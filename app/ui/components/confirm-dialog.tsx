import { useId, useRef } from "react";
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Modal, ModalFooter, ModalHeader, modalPadding } from "./modal.tsx";

/** Asks before something that can't be undone. Its first button is the safe one. */
export function ConfirmDialog({
  open,
  title,
  text,
  confirmLabel,
  cancelLabel = "Cancel",
  ...rest
}: ConfirmDialogProps) {
  const { tone = "danger", isBusy = false, alternative, onConfirm, onCancel } = rest;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  return (
    <Modal
      ref={dialog}
      open={open}
      className={`w-[calc(100%-40px)] max-w-110 ${modalPadding}`}
      labelledBy={`${id}-title`}
      describedBy={text ? `${id}-text` : undefined}
      // Closed by Esc or a phone's back gesture while `open` is still true.
      onClose={() => open && onCancel()}
    >
      <ModalHeader id={`${id}-title`} title={title} />
      {text && (
        <div id={`${id}-text`} className="text-muted">
          {text}
        </div>
      )}
      <ModalFooter>
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button variant={tone === "danger" ? "danger" : "main"} disabled={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
        {alternative && (
          <Button variant="main" disabled={isBusy} onClick={alternative.onChoose}>
            {alternative.label}
          </Button>
        )}
      </ModalFooter>
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
  /** A third option, the recommended one. */
  alternative?: { label: string; onChoose: () => void };
  onConfirm: () => void;
  onCancel: () => void;
};
