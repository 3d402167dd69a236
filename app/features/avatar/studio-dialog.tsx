import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";

import { saidOf } from "#app/features/uploads/messages.ts";
import { UploadProblem } from "#app/features/uploads/upload-problem.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

import type { AvatarOptions } from "./rules.ts";
import { saveAvatar } from "./saving.ts";
import { StudioGroups } from "./studio-groups.tsx";
import { isSeedTooLong, startOptions, useStudio } from "./studio-state.ts";
import { StudioStage } from "./studio-stage.tsx";

/** An avatar is put together here, live; the server draws the same one again when it is saved. */
export function StudioDialog({ name, start, onStored, onBusy, onClose }: StudioDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const studio = useStudio(start ?? startOptions(name), name);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<{ reason: string; isSignedOut: boolean }>();
  const isTooLong = isSeedTooLong(studio.options.seed);

  // Only the browser can open a dialog as a modal one: there is no attribute for it. The first thing to do in it is to shuffle.
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, []);

  const save = async () => {
    if (isSaving || isTooLong) return;
    setSaving(true);
    setRefusal(undefined);
    onBusy(1);
    const answer = await saveAvatar(studio.options);
    onBusy(-1);
    setSaving(false);
    if (answer.kind === "refused") return setRefusal(answer);
    if (answer.kind === "done") onStored(answer);
    // Closed by the browser first, so that the focus goes back to where it was.
    dialog.current?.close();
  };
  const cancel = (event: React.SyntheticEvent) => isSaving && event.preventDefault();

  return createPortal(
    // Beside the page: a key pressed in here must not send the profile's form.
    <dialog
      ref={dialog}
      className={look}
      aria-labelledby={`${id}-title`}
      onCancel={cancel}
      onClose={({ target, currentTarget }) => target === currentTarget && onClose(studio.options)}
    >
      <header className="flex items-center justify-between gap-3 px-5 pt-3 sm:px-6.5 sm:pt-4 md:col-span-2">
        <h2 id={`${id}-title`} className="heading text-lg">
          Draw an avatar
        </h2>
        <IconButton label="Close" disabled={isSaving} onClick={() => dialog.current?.close()} className="-me-2.5">
          <Icon name="close" />
        </IconButton>
      </header>
      <StudioStage studio={studio} isTooLong={isTooLong} />
      <StudioGroups studio={studio} />
      <footer className="border-t border-line px-5 py-3 sm:px-6.5 md:col-span-2">
        {refusal && (
          <div className="mb-3">
            <UploadProblem
              title={saidOf("avatar").storeFailed}
              reason={refusal.reason}
              isSignedOut={refusal.isSignedOut}
            />
          </div>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2.5 max-sm:*:grow">
          <Button size="s" disabled={isSaving} onClick={studio.reset}>
            Reset
          </Button>
          <Button size="s" variant="main" disabled={isSaving || isTooLong} onClick={() => void save()}>
            {isSaving ? "Saving..." : "Save as avatar"}
          </Button>
        </div>
      </footer>
      <p className="sr-only" aria-live="polite">
        {studio.said}
      </p>
    </dialog>,
    document.body,
  );
}

type StudioDialogProps = {
  name: string;
  /** Undefined: nothing was drawn so far. */
  start: AvatarOptions | undefined;
  onStored: (stored: { stem: string | null; message: string }) => void;
  onBusy: (by: 1 | -1) => void;
  /** Hears what was set up. */
  onClose: (options: AvatarOptions) => void;
};

const look =
  "ui-confirm m-auto w-full max-w-240 overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-raised text-text shadow-card " +
  "open:grid grid-cols-1 grid-rows-[auto_auto_minmax(16rem,1fr)_auto] h-[min(94dvh,44rem)] " +
  "max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:max-w-none max-sm:rounded-none max-sm:border-0 " +
  "md:grid-cols-[19rem_minmax(0,1fr)] md:grid-rows-[auto_minmax(20rem,1fr)_auto]";
