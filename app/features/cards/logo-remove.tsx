import { useState } from "react";

import { saidOf } from "#app/features/uploads/messages.ts";
import { removeFile } from "#app/features/uploads/sending.ts";
import { ConfirmDialog } from "#app/ui/confirm-dialog.tsx";

import type { Logo } from "./logo-state.ts";
import { messages } from "./messages.ts";

/** Asks, and takes the logo away. */
export function RemoveLogo({ slot, logo, isOpen, onDone }: RemoveLogoProps) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const answer = await removeFile(slot);
    setBusy(false);
    onDone();
    if (answer.kind === "done") {
      logo.onChange(null);
      logo.say({ title: answer.message, tone: "success" });
    } else if (answer.kind === "refused") {
      const failed = saidOf(slot).removeFailed;
      logo.say({ title: failed, ...(answer.reason !== failed && { text: answer.reason }), tone: "error" });
    }
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title="Remove the logo?"
      text={messages.logoRemove}
      confirmLabel="Remove"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onCancel={onDone}
    />
  );
}

type RemoveLogoProps = { slot: `logo:${string}`; logo: Logo; isOpen: boolean; onDone: () => void };
