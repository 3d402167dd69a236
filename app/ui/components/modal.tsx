import { useEffect, useRef } from "react";
import type { ReactNode, RefObject, SyntheticEvent } from "react";

import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

/**
 * The browser's modal dialog: it keeps the focus inside, Esc cancels, and closing it returns the focus to where it was. Close it with
 * `ref.current.close()` or `open={false}` before it is unmounted: only a dialog that the browser closes returns the focus. The
 * element marked `data-initial-focus` gets the focus; without one it is the first control.
 */
export function Modal({ ref, open = true, labelledBy, describedBy, className, children, ...handlers }: ModalProps) {
  const { onCancel, onClose } = handlers;
  const isClosing = useRef(false);

  // There is no attribute that opens a dialog as a modal one.
  useEffect(() => {
    const dialog = ref.current;
    if (!open) return dialog?.close();
    isClosing.current = false;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-initial-focus]")?.focus();
  }, [open, ref]);

  const close = () => {
    if (isClosing.current) return;
    isClosing.current = true;
    onClose();
  };
  // Esc closes here, because the browser reports its close later: a key in between would open a dialog that still counts as open.
  const cancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    onCancel?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    event.currentTarget.close();
    close();
  };

  // React also reports the events of a dialog inside this one.
  const isOwn = ({ target, currentTarget }: SyntheticEvent) => target === currentTarget;
  return (
    <dialog
      ref={ref}
      className={`ui-modal m-auto rounded-card border border-line-strong bg-raised text-text shadow-card overscroll-contain scroll-py-22 ${className}`}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => isOwn(event) && cancel(event)}
      onClose={(event) => isOwn(event) && !event.currentTarget.open && close()}
    >
      {children}
    </dialog>
  );
}

/** The title, and a button to close the dialog. They stay in view while the content scrolls. For a dialog with `modalPadding`. */
export function ModalHeader({ id, title, onClose }: { id: string; title: string; onClose?: () => void }) {
  return (
    <div className={headerClass}>
      <h2 id={id} className={onClose ? "heading pt-1.5 text-lg" : "heading text-lg"} dir="auto">
        {title}
      </h2>
      {onClose && (
        <IconButton label="Close" onClick={onClose} className="-me-2.5">
          <Icon name="close" />
        </IconButton>
      )}
    </div>
  );
}

/** The buttons at the end of a dialog, which stay in view while its content scrolls. For a dialog with `modalPadding`. */
export function ModalFooter({ children }: { children: ReactNode }) {
  return <div className={footerClass}>{children}</div>;
}

export const modalPadding = "p-5 sm:p-6.5";

// Up to the edges of the dialog, so that nothing is visible beside or behind them.
const headerClass =
  "sticky -top-5 z-10 -mx-5 -mt-5 mb-2 flex items-start justify-between gap-3 bg-raised px-5 pt-5 pb-2 " +
  "sm:-top-6.5 sm:-mx-6.5 sm:-mt-6.5 sm:px-6.5 sm:pt-6.5";
const footerClass =
  "sticky -bottom-5 z-10 -mx-5 mt-3 -mb-5 flex flex-wrap justify-end gap-2.5 bg-raised px-5 pt-3 pb-5 max-sm:*:grow " +
  "sm:-bottom-6.5 sm:-mx-6.5 sm:-mb-6.5 sm:px-6.5 sm:pb-6.5";

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
