import { useId } from "react";

import { documentTypes, refuseResume } from "#app/features/uploads/choosing.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { saidOf } from "#app/features/uploads/messages.ts";
import { UploadProblem } from "#app/features/uploads/upload-problem.tsx";
import { UploadProgress } from "#app/features/uploads/upload-progress.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field-frame.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { useFileField } from "./file-field.ts";
import { fileWords } from "./file-words.ts";
import type { Pictures, StoredFiles } from "./pictures.ts";
import { RemoveFile } from "./remove-file.tsx";

/** The resume that visitors may open and save. `path` is where it is: "/u/…/resume". */
export function ResumeField({ pictures, path }: { pictures: Pictures; path: string }) {
  const id = useId();
  const { stored, say } = pictures;
  const { problem, state, choose, retry, cancel } = useFileField("resume", {
    pictures,
    refuse: refuseResume,
    onStored: ({ filename }, file) =>
      pictures.change({ resumeFilename: filename || file.name, resumeBytes: file.size }),
  });
  const hasResume = stored.resumeFilename !== "";
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-3">
      <h3 id={`${id}-title`} className="font-semibold">
        Resume
      </h3>
      {hasResume && <StoredResume stored={stored} path={path} onOpen={() => say(opened)} onSave={() => say(saved)} />}
      {state.kind === "refused" && <UploadProblem title={saidOf("resume").storeFailed} {...state} onRetry={retry} />}
      {state.kind === "sending" ? (
        <UploadProgress share={state.share} onCancel={cancel} />
      ) : (
        <div className="flex flex-wrap gap-2.5">
          <FileButton
            id={`${id}-file`}
            label={hasResume ? "Replace resume" : "Choose a resume"}
            accept={documentTypes}
            describedBy={problem ? `${id}-error` : `${id}-hint`}
            isInvalid={problem !== undefined}
            onChoose={choose}
          />
          {hasResume && (
            <RemoveFile
              slot="resume"
              focusId={`${id}-file`}
              label="Remove resume"
              title="Remove your resume?"
              text="Visitors can no longer open it. Keep a copy if you need one."
              say={say}
              onRemoved={() => pictures.change({ resumeFilename: "", resumeBytes: null })}
            />
          )}
        </div>
      )}
      <p id={`${id}-hint`} className="text-sm text-muted">
        PDF, DOC or DOCX, less than 5MB. Everyone who sees your profile can open it. It is saved at once.
      </p>
      {problem && <FieldError id={id}>{problem}</FieldError>}
    </section>
  );
}

const opened = { title: fileWords.resumeOpened, tone: "info" } as const;
const saved = { title: fileWords.resumeDownloaded, tone: "success" } as const;

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
          <span className="block text-sm text-muted tabular-nums">{sizeInWords(stored.resumeBytes)}</span>
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
function sizeInWords(bytes: number): string {
  return bytes < 950_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
