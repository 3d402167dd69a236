import { Icon } from "#app/ui/icon.tsx";

import { fileWords } from "./file-words.ts";

/** The owner's resume on their profile: plain links, which need no script to open and to save it. */
export function ResumeCard({ filename, path, isOwn }: ResumeCardProps) {
  return (
    <div className="resume">
      <span className="icon">
        <Icon name="document" />
      </span>
      <span className="words">
        <b dir="auto">{filename}</b>
        <small>{isOwn ? fileWords.resumeOwn : fileWords.resumeOthers}</small>
      </span>
      <div className="actions">
        <a className="button" href={path} target="_blank" rel="noopener" data-toast={fileWords.resumeOpened}>
          View
        </a>
        <a className="button" href={`${path}?download`} data-toast={fileWords.resumeDownloaded}>
          Download
        </a>
      </div>
    </div>
  );
}

type ResumeCardProps = {
  /** As the owner's machine called it. */
  filename: string;
  /** "/u/…/resume". */
  path: string;
  isOwn: boolean;
};
