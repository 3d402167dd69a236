import { useId, useState } from "react";

import { fileMessages } from "#app/features/profile/messages.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { imageTypes, validateImageFile } from "#app/features/uploads/validate-file.ts";
import { bannerUrls } from "#app/features/uploads/image-urls.ts";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { FieldError } from "#app/ui/forms/field.tsx";

import { useFileField } from "./profile-files.ts";
import type { ProfileFiles } from "./profile-files.ts";
import { RemoveFileButton } from "./remove-file-dialog.tsx";

/** The image across the top of the profile. Without one the theme's colors are shown. */
export function BannerField({ files }: { files: ProfileFiles }) {
  const id = useId();
  const { stored, notify } = files;
  const { error, state, choose, retry, cancel } = useFileField("banner", {
    files,
    validate: validateImageFile,
    onStored: ({ keyPrefix }) => files.change({ bannerKey: keyPrefix }),
  });
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-3">
      <h3 id={`${id}-title`} className="font-semibold">
        Banner
      </h3>
      {stored.bannerKey !== null && <BannerPreview key={stored.bannerKey} imageKey={stored.bannerKey} />}
      {state.kind === "refused" && (
        <UploadProblem title={slotMessages("banner").storeFailed} {...state} onRetry={retry} />
      )}
      {state.kind === "sending" ? (
        <UploadProgress share={state.share} onCancel={cancel} />
      ) : (
        <div className="flex flex-wrap gap-2.5">
          <FileButton
            id={`${id}-file`}
            label={stored.bannerKey === null ? "Choose a banner" : "Replace banner"}
            accept={imageTypes}
            describedBy={error ? `${id}-error` : `${id}-hint`}
            isInvalid={error !== undefined}
            onChoose={choose}
          />
          {stored.bannerKey !== null && (
            <RemoveFileButton
              slot="banner"
              focusId={`${id}-file`}
              label="Remove banner"
              title="Remove your banner?"
              text="Your theme’s colors will be shown instead."
              notify={notify}
              onRemoved={() => files.change({ bannerKey: null })}
            />
          )}
        </div>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted">
        JPEG, PNG or WebP, under 5MB. Wide images work best: at least 1280 by 430 pixels. Saved right away.
      </p>
      {error && <FieldError id={id}>{error}</FieldError>}
    </section>
  );
}

/** Cropped as on the page. */
function BannerPreview({ imageKey }: { imageKey: string }) {
  const [isBroken, setBroken] = useState(false);
  const urls = bannerUrls(imageKey);
  if (isBroken) return <FieldError id={imageKey}>{fileMessages.bannerBroken}</FieldError>;
  return (
    <img
      src={urls?.small}
      srcSet={`${urls?.small} 860w, ${urls?.large} 1280w`}
      sizes="(max-width: 600px) 90vw, 506px"
      alt="Your banner"
      width={506}
      height={170}
      onError={() => setBroken(true)}
      className="aspect-3/1 h-auto w-full rounded-control bg-higher object-cover"
    />
  );
}
