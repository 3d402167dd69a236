import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** What became of an upload that failed: it stays until it is tried again. */
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
