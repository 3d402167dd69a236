import { useState } from "react";
import { flushSync } from "react-dom";

import { saidOf } from "#app/features/uploads/messages.ts";
import { removeFile } from "#app/features/uploads/sending.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/confirm-dialog.tsx";
import type { ToastWords } from "#app/ui/toast.tsx";

/** Takes a stored file away, after a question. `label` is what the button is called: "Remove banner". */
export function RemoveFile({ label, ...question }: Omit<QuestionProps, "onClose"> & { label: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="plain" size="s" aria-label={label} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && <RemoveQuestion {...question} onClose={() => setAsking(false)} />}
    </>
  );
}

type QuestionProps = {
  slot: "avatar" | "banner" | "resume";
  title: string;
  text: string;
  /** Of the element that gets the focus when the button that asked is gone with the file. */
  focusId: string;
  say: (words: ToastWords) => void;
  onRemoved: () => void;
  onClose: () => void;
};

export function RemoveQuestion({ slot, title, text, focusId, say, onRemoved, onClose }: QuestionProps) {
  const [state, setState] = useState<"open" | "busy" | "closed">("open");
  // Closed before it goes: only a dialog that the browser closes gives the focus back.
  const close = () => {
    flushSync(() => setState("closed"));
    onClose();
  };
  const remove = async () => {
    setState("busy");
    const answer = await removeFile(slot);
    close();
    if (answer.kind === "done") {
      onRemoved();
      document.getElementById(focusId)?.focus();
      say({ title: answer.message, tone: "success" });
    } else if (answer.kind === "refused") {
      const title = saidOf(slot).removeFailed;
      say({ title, ...(answer.reason !== title && { text: answer.reason }), tone: "error" });
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
