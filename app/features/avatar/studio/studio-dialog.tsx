import { useId, useRef, useState } from "react";
import { createPortal } from "react-dom";

import { drawAvatar, svgDataUrl } from "#app/features/avatar/drawing.ts";
import { isSeedIdle, messages } from "#app/features/avatar/messages.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";
import { UploadProblem } from "#app/features/uploads/upload-status.tsx";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Modal } from "#app/ui/components/modal.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { StudioPanels } from "./studio-panels.tsx";
import { isSeedTooLong, saveAvatar, startOptions, useStudio } from "./studio-state.ts";
import type { Studio } from "./studio-state.ts";

/** A dialog to design an avatar with a live preview. The server draws the same avatar when it is saved. */
export function StudioDialog({ name, start, onStored, onBusy, onClose }: StudioDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const studio = useStudio(start ?? startOptions(name), name);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<{ reason: string; isSignedOut: boolean }>();
  const isTooLong = isSeedTooLong(studio.options.seed);

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
    <Modal
      ref={dialog}
      className={dialogClass}
      labelledBy={`${id}-title`}
      onCancel={cancel}
      onClose={() => onClose(studio.options)}
    >
      <header className="sticky top-0 z-10 flex items-center justify-between gap-3 bg-raised px-5 pt-3 sm:px-6.5 sm:pt-4 md:col-span-2">
        <h2 id={`${id}-title`} className="heading text-lg">
          Create an avatar
        </h2>
        <IconButton label="Close" disabled={isSaving} onClick={() => dialog.current?.close()} className="-me-2.5">
          <Icon name="close" />
        </IconButton>
      </header>
      <StudioPreview studio={studio} isTooLong={isTooLong} />
      <StudioPanels studio={studio} />
      <footer className="sticky bottom-0 z-10 border-t border-line bg-raised px-5 py-3 sm:px-6.5 md:col-span-2">
        {refusal && (
          <div className="mb-3">
            <UploadProblem
              title={slotMessages("avatar").storeFailed}
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
        {studio.announcement}
      </p>
    </Modal>,
    document.body,
  );
}

type StudioDialogProps = {
  name: string;
  /** Undefined for the first avatar. */
  start: AvatarOptions | undefined;
  onStored: (stored: { keyPrefix: string | null; message: string }) => void;
  onBusy: (by: 1 | -1) => void;
  /** Called with the current options. */
  onClose: (options: AvatarOptions) => void;
};

const dialogClass =
  "w-full max-w-240 overflow-y-auto open:grid grid-cols-1 grid-rows-[auto_auto_minmax(16rem,1fr)_auto] h-[min(94dvh,44rem)] " +
  "max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:max-w-none max-sm:rounded-none max-sm:border-0 " +
  "md:grid-cols-[19rem_minmax(0,1fr)] md:grid-rows-[auto_minmax(20rem,1fr)_auto]";

/** The preview, the seed, and the button for a random one. */
export function StudioPreview({ studio, isTooLong }: { studio: Studio; isTooLong: boolean }) {
  const { options, setSeed, shuffle } = studio;
  return (
    <div className="grid grid-cols-[clamp(6.5rem,33vw,8.5rem)_minmax(0,1fr)] items-center gap-x-4 px-5 py-3 sm:px-6.5 md:grid-cols-1 md:content-start md:gap-y-5 md:border-e md:border-line md:py-5">
      <AvatarPreview options={options} />
      <div className="grid min-w-0 gap-3 md:gap-4">
        <Field
          label="Name or phrase"
          name="seed"
          value={options.seed}
          onChange={(event) => setSeed(event.currentTarget.value)}
          {...(isTooLong && { error: messages.seedTooLong })}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
        />
        <Button size="s" data-initial-focus onClick={shuffle}>
          <Icon name="shuffle" size={18} />
          Randomize
        </Button>
        <p className="text-sm text-muted max-md:hidden">
          {isSeedIdle(options) ? messages.seedIdle : messages.seedHint}
        </p>
      </div>
    </div>
  );
}

/** The preview of the avatar. Parts outside its circle are dimmed. */
function AvatarPreview({ options }: { options: AvatarOptions }) {
  return (
    <div className="relative aspect-square overflow-hidden rounded-card bg-[#e9e3d5]">
      <img
        key={options.seed}
        src={svgDataUrl(drawAvatar({ ...options, size: undefined, randomizeIds: false }))}
        alt="Preview of your avatar"
        className="size-full motion-safe:animate-rise"
        decoding="sync"
        draggable={false}
      />
      <span
        className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_100vmax_color-mix(in_srgb,var(--color-raised)_62%,transparent)] outline-1 -outline-offset-1 outline-[#17181b33]"
        aria-hidden="true"
      />
    </div>
  );
}
