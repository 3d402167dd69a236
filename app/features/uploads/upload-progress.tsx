import { Button } from "#app/ui/button.tsx";

/**
 * How far an upload is, and the way to stop it where that is not elsewhere. When everything has arrived the server is at work,
 * which it does not measure.
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
        // What has arrived is kept: then it is too late.
        <Button size="s" disabled={share === 1} onClick={onCancel}>
          Cancel upload
        </Button>
      )}
    </div>
  );
}
