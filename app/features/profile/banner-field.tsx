import { useId, useState } from "react";

import { refusePicture } from "#app/features/uploads/choosing.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { saidOf } from "#app/features/uploads/messages.ts";
import { bannerPicture, pictureTypes } from "#app/features/uploads/pictures.ts";
import { UploadProblem } from "#app/features/uploads/upload-problem.tsx";
import { UploadProgress } from "#app/features/uploads/upload-progress.tsx";
import { FieldError } from "#app/ui/field-frame.tsx";

import { useFileField } from "./file-field.ts";
import { fileWords } from "./file-words.ts";
import type { Pictures } from "./pictures.ts";
import { RemoveFile } from "./remove-file.tsx";

/** The picture across the top of the profile. Without one the theme's colours are there. */
export function BannerField({ pictures }: { pictures: Pictures }) {
  const id = useId();
  const { stored, say } = pictures;
  const { problem, state, choose, retry, cancel } = useFileField("banner", {
    pictures,
    refuse: refusePicture,
    onStored: ({ stem }) => pictures.change({ bannerStem: stem }),
  });
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-3">
      <h3 id={`${id}-title`} className="font-semibold">
        Banner
      </h3>
      {stored.bannerStem !== null && <Preview key={stored.bannerStem} stem={stored.bannerStem} />}
      {state.kind === "refused" && <UploadProblem title={saidOf("banner").storeFailed} {...state} onRetry={retry} />}
      {state.kind === "sending" ? (
        <UploadProgress share={state.share} onCancel={cancel} />
      ) : (
        <div className="flex flex-wrap gap-2.5">
          <FileButton
            id={`${id}-file`}
            label={stored.bannerStem === null ? "Choose a banner" : "Replace banner"}
            accept={pictureTypes}
            describedBy={problem ? `${id}-error` : `${id}-hint`}
            isInvalid={problem !== undefined}
            onChoose={choose}
          />
          {stored.bannerStem !== null && (
            <RemoveFile
              slot="banner"
              focusId={`${id}-file`}
              label="Remove banner"
              title="Remove your banner?"
              text="The colours of your theme are shown in its place."
              say={say}
              onRemoved={() => pictures.change({ bannerStem: null })}
            />
          )}
        </div>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted">
        JPEG, PNG or WebP, less than 5MB. Wide pictures fit best: 1280 by 430 pixels or more. It is saved at once.
      </p>
      {problem && <FieldError id={id}>{problem}</FieldError>}
    </section>
  );
}

/** Cut as on the page. */
function Preview({ stem }: { stem: string }) {
  const [isBroken, setBroken] = useState(false);
  const picture = bannerPicture(stem);
  if (isBroken) return <FieldError id={stem}>{fileWords.bannerBroken}</FieldError>;
  return (
    <img
      src={picture?.small}
      srcSet={`${picture?.small} 860w, ${picture?.large} 1280w`}
      sizes="(max-width: 600px) 90vw, 506px"
      alt="Your banner"
      width={506}
      height={170}
      onError={() => setBroken(true)}
      className="aspect-3/1 h-auto w-full rounded-control bg-higher object-cover"
    />
  );
}
