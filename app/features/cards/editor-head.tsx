import { Link } from "react-router";

import { ButtonLink } from "#app/ui/button.tsx";

/** The editor's title, the way back, and the way to the card's page; `onPreview` may stop the latter. */
export function EditorHead({ title, previewId, onPreview }: EditorHeadProps) {
  return (
    <header className="mb-1 grid gap-2">
      <div className="flex items-center justify-between gap-4">
        <Link to="/profile" className={backLook}>
          <span aria-hidden="true" className="rtl:-scale-x-100">
            ←
          </span>
          Back to Profile
        </Link>
        {previewId && (
          <ButtonLink size="s" href={`/card/${previewId}`} target="_blank" onClick={onPreview}>
            Preview
          </ButtonLink>
        )}
      </div>
      <h1 className="heading text-xl">{title}</h1>
    </header>
  );
}

type EditorHeadProps = {
  title: string;
  /** Of a saved card; undefined while there is none. */
  previewId: string | undefined;
  onPreview: (event: React.MouseEvent) => void;
};

const backLook = "inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted no-underline hover:text-text";
