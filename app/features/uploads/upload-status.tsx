import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/**
 * The progress of an upload, with a cancel button if `onCancel` is given. Once everything is sent, the server processes the file, which
 * has no progress.
 */
export function UploadProgress({ share, onCancel }: { share: number; onCancel?: () => void }) {
  const percent = Math.floor(share * 100);
  return (
    <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2">
      <div className="grid flex-1 basis-40 gap-2">
        <p className="flex justify-between gap-4 text-sm">
          <span role="status">{share < 1 ? "Uploading..." : "Saving..."}</span>
          {share < 1 && <span className="text-muted tabular-nums">{percent}%</span>}
        </p>
        <div
          role="progressbar"
          aria-label="Upload"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-1.5 overflow-hidden rounded-full bg-higher forced-colors:border"
        >
          <div
            className="h-full origin-left bg-main transition-transform motion-reduce:transition-none rtl:origin-right forced-colors:bg-[Highlight]"
            style={{ transform: `scaleX(${share})` }}
          />
        </div>
      </div>
      {onCancel && (
        // Too late once everything is sent.
        <Button size="s" disabled={share === 1} onClick={onCancel}>
          Cancel upload
        </Button>
      )}
    </div>
  );
}

/** Why an upload failed, displayed until the user retries. */
export function UploadProblem({ title, reason, isSignedOut, onRetry }: UploadProblemProps) {
  return (
    <Notice
      tone="error"
      title={title}
      action={
        (onRetry || isSignedOut) && (
          <>
            {isSignedOut && (
              <ButtonLink size="s" href="/auth" target="_blank">
                Sign in
              </ButtonLink>
            )}
            {onRetry && (
              <Button size="s" onClick={onRetry}>
                Try again
              </Button>
            )}
          </>
        )
      }
    >
      {reason === title ? undefined : reason}
    </Notice>
  );
}

type UploadProblemProps = {
  /** "Failed to upload banner". */
  title: string;
  reason: string;
  isSignedOut: boolean;
  onRetry?: () => void;
};
