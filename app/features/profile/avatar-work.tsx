import { useEffect, useState } from "react";

import { refusePicture } from "#app/features/uploads/choosing.ts";

import { CropDialog } from "./crop-dialog.tsx";
import type { ChosenPicture } from "./crop-dialog.tsx";
import { fileWords } from "./file-words.ts";
import { showAvatar } from "./pictures.ts";
import type { Pictures } from "./pictures.ts";
import { RemoveQuestion } from "./remove-file.tsx";

export type AvatarJob = { kind: "crop"; file: File } | { kind: "remove" };

type AvatarWorkProps<Job = AvatarJob> = {
  job: Job;
  pictures: Pictures;
  /** Of the element that gets the focus when the picture is gone, and with it the button that asked. */
  focusId: string;
  /** Hears what was wrong with the file, to be told beside the field. The same function each time. */
  onDone: (problem?: string) => void;
};

/** What changes the avatar: loaded when it is asked for. */
export function AvatarWork({ job, ...rest }: AvatarWorkProps) {
  const { pictures, focusId, onDone } = rest;
  if (job.kind === "crop") return <Cropping job={job} {...rest} />;
  return (
    <RemoveQuestion
      slot="avatar"
      title="Remove your avatar?"
      text="Your initials are shown in its place."
      focusId={focusId}
      say={pictures.say}
      onRemoved={() => pictures.change({ avatarStem: null })}
      onClose={() => onDone()}
    />
  );
}

function Cropping({ job: { file }, pictures, onDone }: Omit<AvatarWorkProps<{ file: File }>, "focusId">) {
  const [chosen, setChosen] = useState<ChosenPicture>();

  // Only the browser knows whether it can show a picture, and how large that is.
  useEffect(() => {
    let isGone = false;
    const image = new Image();
    const refusal = refusePicture(file);
    if (refusal) return onDone(refusal);
    image.src = URL.createObjectURL(file);
    void measure(image).then((size) => {
      if (isGone) return;
      if (size) setChosen({ file, url: image.src, ...size });
      else onDone(fileWords.unreadablePicture);
    });
    return () => {
      isGone = true;
      // The browser holds the whole file for as long as the address is known.
      URL.revokeObjectURL(image.src);
    };
  }, [file, onDone]);

  if (!chosen || chosen.file !== file) return null;
  return (
    <CropDialog
      chosen={chosen}
      onBusy={pictures.onBusy}
      onStored={(stored) => showAvatar(pictures, stored)}
      onClose={() => onDone()}
    />
  );
}

/** As it is seen, whichever way the camera was held. Undefined for what this browser can't show. */
async function measure(image: HTMLImageElement) {
  try {
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch (error) {
    // EncodingError: a broken picture, or no picture at all.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
