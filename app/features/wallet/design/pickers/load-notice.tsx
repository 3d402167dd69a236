import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/** Beside images that couldn't be loaded. */
export function LoadNotice({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title={title}
      action={
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
