import { useId, useState } from "react";

import { StudioButton } from "#app/features/avatar/studio/studio-button.tsx";
import { fileMessages } from "#app/features/profile/messages.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { imageTypes, validateImageFile, validateImageSize } from "#app/features/uploads/validate-file.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { LazyPart } from "#app/ui/components/loading.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import type { ChosenImage } from "./crop-dialog.tsx";
import { showStoredAvatar } from "./profile-files.ts";
import type { ProfileFiles } from "./profile-files.ts";
import { RemoveFileButton } from "./remove-file-dialog.tsx";

/** The avatar or the initials. Changes are saved at once, apart from the form around the field. */
export function AvatarField({ name, files }: { name: string; files: ProfileFiles }) {
  const id = useId();
  const { avatarKey } = files.stored;
  const [error, setError] = useState<string>();
  const [chosen, setChosen] = useState<ChosenImage>();
  const choose = async (file: File) => {
    const image = validateImageFile(file) ?? (await openImage(file));
    setError(typeof image === "string" ? image : undefined);
    setChosen(typeof image === "string" ? undefined : image);
  };
  const closeCrop = ({ url }: ChosenImage) => {
    URL.revokeObjectURL(url);
    setChosen(undefined);
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="grid gap-3">
      <div className={headClass}>
        <Portrait name={name} image={avatarUrls(avatarKey)} width={80} className={portraitClass} />
        <p id={`${id}-label`} className="text-sm font-medium sm:col-span-2 sm:self-end">
          Avatar
        </p>
        <div className="flex flex-wrap gap-2.5 max-sm:order-last max-sm:col-span-full max-sm:*:grow">
          <FileButton
            id={`${id}-file`}
            label="Choose a file"
            accept={imageTypes}
            describedBy={error ? `${id}-error` : `${id}-hint`}
            isInvalid={error !== undefined}
            onChoose={(file) => void choose(file)}
          />
          <StudioButton name={name} onBusy={files.onBusy} onStored={(stored) => showStoredAvatar(files, stored)} />
        </div>
        {avatarKey !== null && (
          <RemoveFileButton
            slot="avatar"
            className="max-sm:-me-3 sm:justify-self-start noscript:hidden"
            focusId={`${id}-file`}
            label="Remove avatar"
            title="Remove your avatar?"
            text="Your initials will be shown instead."
            notify={files.notify}
            onRemoved={() => files.change({ avatarKey: null })}
          />
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        JPEG, PNG or WebP, under 5MB. Saved as soon as you crop it.
      </p>
      {error && <FieldError id={id}>{error}</FieldError>}
      {chosen && (
        <LazyPart load={loadCropDialog} fallback={null}>
          {({ CropDialog }) => (
            <CropDialog
              chosen={chosen}
              onBusy={files.onBusy}
              onStored={(stored) => showStoredAvatar(files, stored)}
              onClose={() => closeCrop(chosen)}
            />
          )}
        </LazyPart>
      )}
    </div>
  );
}

// The cropping library is large.
const loadCropDialog = () => import("./crop-dialog.tsx");

/** The image with its size after EXIF rotation, or a message when it is too large or this browser can't show it. */
export async function openImage(file: File): Promise<ChosenImage | string> {
  const image = new Image();
  // Without decoding it, which could take all of a phone's memory.
  await new Promise((resolve) => {
    for (const outcome of ["load", "error"]) image.addEventListener(outcome, resolve);
    image.src = URL.createObjectURL(file);
  });
  const tooLarge = validateImageSize({ width: image.naturalWidth, height: image.naturalHeight });
  if (tooLarge) {
    URL.revokeObjectURL(image.src);
    return tooLarge;
  }
  try {
    await image.decode();
    return { file, url: image.src, width: image.naturalWidth, height: image.naturalHeight };
  } catch (error) {
    URL.revokeObjectURL(image.src);
    // EncodingError: the file is damaged or not an image.
    if (error instanceof DOMException) return fileMessages.unreadableImage;
    throw error;
  }
}

// Narrow: the image, its name and Remove in a row, then two buttons as wide as possible. Wide: all buttons beside the image.
const headClass =
  "grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 " +
  "sm:grid-cols-[auto_auto_minmax(0,1fr)] sm:gap-x-2.5 sm:gap-y-2";
const portraitClass =
  "heading relative grid size-20 shrink-0 grid-rows-[100%] place-items-center overflow-hidden rounded-full border border-line-strong " +
  "sm:row-span-2 sm:me-2.5 " +
  "bg-higher text-lg whitespace-nowrap [&_img]:absolute [&_img]:inset-0 [&_img]:h-auto [&_img]:w-auto [&_img]:min-w-full " +
  "[&_img]:max-w-full [&_img]:min-h-full [&_img]:max-h-full [&_img]:object-cover";
