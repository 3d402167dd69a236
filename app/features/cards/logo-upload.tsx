import { useEffect } from "react";

import { refusePicture } from "#app/features/uploads/choosing.ts";
import { saidOf } from "#app/features/uploads/messages.ts";
import { UploadProblem } from "#app/features/uploads/upload-problem.tsx";
import { UploadProgress } from "#app/features/uploads/upload-progress.tsx";
import { useUpload } from "#app/features/uploads/upload-state.ts";
import { FieldError } from "#app/ui/field-frame.tsx";

import type { Logo } from "./logo-state.ts";

/** What becomes of a chosen file: it is sent at once, or refused. Another file is another one of these. */
export function LogoUpload({ file, slot, logo, onDone }: LogoUploadProps) {
  const problem = refusePicture(file);
  const { state, send, cancel } = useUpload({
    onBusy: logo.onBusy,
    onStored: ({ stem, message }) => {
      logo.onChange(stem);
      logo.say({ title: message, tone: "success" });
      onDone();
    },
  });
  const store = () => send(`/uploads/${slot}?${new URLSearchParams({ name: file.name })}`, file);
  // The choice was made before this part was there: now it is sent.
  useEffect(() => {
    if (!problem) store();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const stop = () => {
    cancel();
    onDone();
  };
  if (problem) return <FieldError id={`logo-${logo.cardId}`}>{problem}</FieldError>;
  if (state.kind === "sending") return <UploadProgress share={state.share} onCancel={stop} />;
  if (state.kind !== "refused") return null;
  return <UploadProblem title={saidOf(slot).storeFailed} {...state} onRetry={store} />;
}

type LogoUploadProps = {
  file: File;
  slot: `logo:${string}`;
  logo: Logo;
  /** Stored, or cancelled. */
  onDone: () => void;
};
