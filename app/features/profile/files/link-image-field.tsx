import { useId, useState } from "react";
import type { ReactNode } from "react";

import { messages } from "#app/features/links/messages.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { imageTypes, validateImageFile } from "#app/features/uploads/validate-file.ts";
import { linkImageUrl } from "#app/features/uploads/image-urls.ts";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { FieldError } from "#app/ui/forms/field.tsx";

import { useFileField } from "./profile-files.ts";
import type { ProfileFiles } from "./profile-files.ts";

/** The image of a featured link and its description. It is uploaded at once, and shown to visitors after the form is saved. */
export function LinkImageField({ picture, alt, name, files, onChange, children, ...refused }: LinkImageFieldProps) {
  const id = useId();
  const [slot] = useState(newImageSlot);
  const upload = useFileField(slot, {
    files,
    validate: validateImageFile,
    onStored: ({ keyPrefix }) => keyPrefix !== null && onChange({ picture: keyPrefix }),
  });
  const { state } = upload;
  const error = upload.error ?? refused.error;
  return (
    <div className="grid gap-4">
      <section aria-labelledby={`${id}-title`} className="grid gap-3">
        <h3 id={`${id}-title`} className="text-sm font-medium">
          Image
        </h3>
        <input type="hidden" name={`${name}.picture`} value={picture} />
        {picture !== "" && (
          <img
            src={linkImageUrl(picture)}
            alt={alt || "Image for this link"}
            width={470}
            height={235}
            className="aspect-2/1 h-auto w-full rounded-control bg-higher object-cover"
          />
        )}
        {state.kind === "refused" && (
          <UploadProblem title={slotMessages(slot).storeFailed} {...state} onRetry={upload.retry} />
        )}
        {state.kind === "sending" ? (
          <UploadProgress share={state.share} onCancel={upload.cancel} />
        ) : (
          <FileButton
            label={picture === "" ? "Choose an image" : "Replace image"}
            accept={imageTypes}
            describedBy={error ? `${id}-error` : `${id}-hint`}
            isInvalid={error !== undefined}
            onChoose={upload.choose}
          />
        )}
        <p id={`${id}-hint`} className="text-sm text-muted">
          {messages.imageHint}
        </p>
        {error && <FieldError id={id}>{error}</FieldError>}
      </section>
      {children}
    </div>
  );
}

type LinkImageFieldProps = {
  /** The storage key prefix; "" without an image. */
  picture: string;
  alt: string;
  /** Of the link in the form: "links.3". */
  name: string;
  error: string | undefined;
  files: ProfileFiles;
  onChange: (change: { picture: string }) => void;
  /** The field of its description. */
  children: ReactNode;
};

/** A slot of its own for each image, because a link that isn't saved has no id. Also works without https. */
function newImageSlot(): `picture:${string}` {
  return `picture:${Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("")}`;
}
