import { useState } from "react";
import { flushSync } from "react-dom";

import { removeFile } from "#app/features/uploads/upload-client.ts";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

/** A button that removes a stored file after a confirmation. `label` is its accessible name: "Remove banner". */
export function RemoveFileButton({ label, className = "", ...dialog }: RemoveFileButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="plain" size="s" className={className} aria-label={label} onClick={() => setOpen(true)}>
        Remove
      </Button>
      {isOpen && <RemoveFileDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}

type RemoveFileButtonProps = Omit<RemoveFileDialogProps, "onClose"> & { label: string; className?: string };

type RemoveFileDialogProps = {
  slot: "avatar" | "banner" | "resume";
  title: string;
  text: string;
  /** The id of the element that gets the focus when the button disappears with the file. */
  focusId: string;
  notify: (toast: ToastContent) => void;
  onRemoved: () => void;
  onClose: () => void;
};

function RemoveFileDialog({ slot, title, text, focusId, notify, onRemoved, onClose }: RemoveFileDialogProps) {
  const [state, setState] = useState<"open" | "busy" | "closed">("open");
  // Closed before it is unmounted: only a dialog that the browser closes returns the focus.
  const close = () => {
    flushSync(() => setState("closed"));
    onClose();
  };
  const remove = async () => {
    setState("busy");
    const response = await removeFile(slot);
    close();
    if (response.kind === "done") {
      onRemoved();
      document.getElementById(focusId)?.focus();
      notify({ title: response.message, tone: "success" });
    } else if (response.kind === "refused") {
      const title = slotMessages(slot).removeFailed;
      notify({ title, ...(response.reason !== title && { text: response.reason }), tone: "error" });
    }
  };
  return (
    <ConfirmDialog
      open={state !== "closed"}
      title={title}
      text={text}
      confirmLabel="Remove"
      isBusy={state === "busy"}
      onConfirm={() => void remove()}
      onCancel={close}
    />
  );
}
