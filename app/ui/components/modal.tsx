import { useEffect } from "react";
import type { ReactNode, RefObject, SyntheticEvent } from "react";

/**
 * The browser's modal dialog: it keeps the focus inside, Esc cancels, and closing it returns the focus to where it was. Close it with
 * `ref.current.close()` or `open={false}` before it is unmounted: only a dialog that the browser closes returns the focus. The
 * element marked `data-initial-focus` gets the focus; without one it is the first control.
 */
export function Modal({ ref, open = true, labelledBy, describedBy, className, children, ...handlers }: ModalProps) {
  const { onCancel, onClose } = handlers;

  // There is no attribute that opens a dialog as a modal one.
  useEffect(() => {
    const dialog = ref.current;
    if (!open) return dialog?.close();
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-initial-focus]")?.focus();
  }, [open, ref]);

  // React also reports the events of a dialog inside this one.
  const isOwn = ({ target, currentTarget }: SyntheticEvent) => target === currentTarget;
  return (
    <dialog
      ref={ref}
      className={`ui-modal m-auto rounded-card border border-line-strong bg-raised text-text shadow-card ${className}`}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => isOwn(event) && onCancel?.(event)}
      onClose={(event) => isOwn(event) && onClose()}
    >
      {children}
    </dialog>
  );
}

type ModalProps = {
  ref: RefObject<HTMLDialogElement | null>;
  open?: boolean;
  /** The id of the title. */
  labelledBy: string;
  describedBy?: string | undefined;
  /** Size and padding. */
  className: string;
  /** Called on Esc, before the dialog closes: `preventDefault()` keeps it open. */
  onCancel?: (event: SyntheticEvent) => void;
  onClose: () => void;
  children: ReactNode;
};
