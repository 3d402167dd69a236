import { useId } from "react";

import { fileMessages } from "#app/features/profile/messages.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { documentTypes, validateResumeFile } from "#app/features/uploads/validate-file.ts";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import { useFileField } from "./profile-files.ts";
import type { ProfileFiles, StoredFiles } from "./profile-files.ts";
import { RemoveFileButton } from "./remove-file-dialog.tsx";

/** The resume that visitors may open and download. `path` is "/u/…/resume". */
export function ResumeField({ files, path }: { files: ProfileFiles; path: string }) {
  const id = useId();
  const { stored, notify } = files;
  const { error, state, choose, retry, cancel } = useFileField("resume", {
    files,
    validate: validateResumeFile,
    onStored: ({ filename }, file) => files.change({ resumeFilename: filename || file.name, resumeBytes: file.size }),
  });
  const hasResume = stored.resumeFilename !== "";
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-3">
      <h3 id={`${id}-title`} className="font-semibold">
        Resume
      </h3>
      {hasResume && (
        <StoredResume
          stored={stored}
          path={path}
          onOpen={() => notify(openedToast)}
          onSave={() => notify(savedToast)}
        />
      )}
      {state.kind === "refused" && (
        <UploadProblem title={slotMessages("resume").storeFailed} {...state} onRetry={retry} />
      )}
      {state.kind === "sending" ? (
        <UploadProgress share={state.share} onCancel={cancel} />
      ) : (
        <div className="flex flex-wrap gap-2.5">
          <FileButton
            id={`${id}-file`}
            label={hasResume ? "Replace resume" : "Choose a resume"}
            accept={documentTypes}
            describedBy={error ? `${id}-error` : `${id}-hint`}
            isInvalid={error !== undefined}
            onChoose={choose}
          />
          {hasResume && (
            <RemoveFileButton
              slot="resume"
              focusId={`${id}-file`}
              label="Remove resume"
              title="Remove your resume?"
              text="Visitors won’t be able to open it. Keep a copy if you need one."
              notify={notify}
              onRemoved={() => files.change({ resumeFilename: "", resumeBytes: null })}
            />
          )}
        </div>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted">
        PDF or Word document, under 5MB. Anyone who sees your profile can open it. Saved right away.
      </p>
      {error && <FieldError id={id}>{error}</FieldError>}
    </section>
  );
}

const openedToast = { title: fileMessages.resumeOpened, tone: "info" } as const;
const savedToast = { title: fileMessages.resumeDownloaded, tone: "success" } as const;

type StoredResumeProps = { stored: StoredFiles; path: string; onOpen: () => void; onSave: () => void };

function StoredResume({ stored, path, onOpen, onSave }: StoredResumeProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line p-3.5 ps-4">
      <span className="text-muted">
        <Icon name="document" size={24} />
      </span>
      <p className="min-w-0 flex-1 basis-40">
        <bdi className="font-medium">{stored.resumeFilename}</bdi>
        {stored.resumeBytes !== null && (
          <span className="block text-sm text-muted tabular-nums">{formatFileSize(stored.resumeBytes)}</span>
        )}
      </p>
      <div className="-mx-3 flex flex-wrap">
        <ButtonLink variant="plain" size="s" href={path} target="_blank" aria-label="View resume" onClick={onOpen}>
          View
        </ButtonLink>
        <ButtonLink
          variant="plain"
          size="s"
          href={`${path}?download`}
          download
          aria-label="Download resume"
          onClick={onSave}
        >
          Download
        </ButtonLink>
      </div>
    </div>
  );
}

/** 1_400_000 -> "1.4 MB"; 900 -> "1 kB". */
function formatFileSize(bytes: number): string {
  return bytes < 950_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
