import type { ChangeEvent } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { scanFailures, scanMessages as messages } from "#app/features/scanner/messages.ts";
import type { ReadingProgress } from "#app/features/scanner/reading/reader-client.ts";
import { ScanImage } from "#app/features/scanner/add-lead-bar.tsx";
import type { ScanState } from "./scan-state.ts";

type ImagePanelProps = { state: ScanState; onChoose: (file: File) => void; onCancel: () => void };

/** The image of the card: to take or choose, being read, and beside the fields to compare them. */
export function ImagePanel({ state, onChoose, onCancel }: ImagePanelProps) {
  return (
    <Panel title="Picture of the card">
      <div className="grid gap-4">
        {state.step !== "empty" && state.step !== "failed" && (
          <img
            src={state.url}
            alt="The card that you photographed"
            className="max-h-[60vh] w-full rounded-control border border-line bg-ground object-contain"
          />
        )}
        <div role="status" className="grid gap-4 empty:hidden">
          {state.step === "busy" && <Progress progress={state.progress} />}
          {state.step === "read" && (
            <p className="text-sm text-muted">The card was read. Compare the fields with the picture.</p>
          )}
        </div>
        {state.step === "failed" && (
          <Notice tone="error" title={scanFailures[state.failure].title}>
            {scanFailures[state.failure].text}
          </Notice>
        )}
        {state.step === "busy" ? (
          <Button onClick={onCancel} className="justify-self-start">
            Cancel
          </Button>
        ) : (
          <ImageInputs isFirst={state.step === "empty"} onChoose={onChoose} />
        )}
        <p className="text-sm text-muted">{messages.private}</p>
      </div>
    </Panel>
  );
}

/** On a phone also the camera itself. Without script there is nothing to choose an image for. */
function ImageInputs({ isFirst, onChoose }: { isFirst: boolean; onChoose: (file: File) => void }) {
  const input = { disabled: !useIsHydrated(), onChoose };
  return (
    <>
      <noscript>
        <Notice title="You can’t scan here">{messages.needsScript}</Notice>
      </noscript>
      {isFirst && <ScanImage className="my-2 text-muted" size={72} />}
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        <label className={`${labelClass} hidden border-transparent bg-main text-on-main pointer-coarse:inline-flex`}>
          <ImageInput capture="environment" {...input} />
          {isFirst ? "Take a picture" : "Take another picture"}
        </label>
        <label
          className={`${labelClass} inline-flex ${isFirst ? chooseFirstClass : "border-line-strong hover:bg-higher"}`}
        >
          <ImageInput {...input} />
          {isFirst ? "Choose a picture" : "Choose another picture"}
        </label>
      </div>
    </>
  );
}

type ImageInputProps = { capture?: "environment"; disabled: boolean; onChoose: (file: File) => void };

function ImageInput({ onChoose, ...props }: ImageInputProps) {
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (file) onChoose(file);
    // The same file can be chosen again.
    currentTarget.value = "";
  };
  return <input type="file" accept="image/*" {...props} onChange={onChange} className="sr-only outline-none!" />;
}

const labelClass =
  "min-h-12 cursor-pointer items-center justify-center rounded-control border px-5.5 py-2 font-semibold " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-text " +
  "has-disabled:cursor-not-allowed has-disabled:opacity-50";

/** The main action where there is no camera. */
const chooseFirstClass =
  "border-transparent bg-main text-on-main hover:opacity-90 pointer-coarse:border-line-strong pointer-coarse:bg-transparent pointer-coarse:text-text";

function Progress({ progress }: { progress: ReadingProgress | undefined }) {
  const { label, value } = describe(progress);
  return (
    <label className="grid gap-2 text-sm">
      {label}
      <progress value={value} max={1} className={progressClass} />
    </label>
  );
}

/** Drawn in our colors: each browser draws its own. */
const progressClass =
  "h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line text-main indeterminate:animate-pulse " +
  "[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-main " +
  "[&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:bg-main";

function describe(progress: ReadingProgress | undefined): { label: string; value: number | undefined } {
  if (!progress) return { label: "Opening the picture…", value: undefined };
  if (progress.step === "reading") return { label: "Reading the card…", value: progress.share };
  const { loaded, total } = progress;
  return {
    label: `Downloading the reader (once, ${(total / 1_000_000).toFixed(1)} MB)`,
    value: loaded / total,
  };
}
