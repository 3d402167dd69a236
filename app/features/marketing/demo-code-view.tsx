import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

import type { CodeState } from "./demo-code-state.ts";

/** The code on its light plate, or in the same place why there is none; below it what it holds. */
export function DemoCodeView({ state, text, onRetry }: { state: CodeState; text: string; onRetry: () => void }) {
  const isDense = state.kind === "code" && state.isDense;
  return (
    <>
      <div className="mx-auto grid size-55 place-items-center" aria-busy={state.kind === "working"}>
        {state.kind === "code" ? (
          <img
            src={state.src}
            width={200}
            height={200}
            loading="lazy"
            alt="QR code of the payload"
            className="box-content max-w-none rounded-control bg-(--plate) p-2.5 forced-color-adjust-none"
          />
        ) : (
          <Instead kind={state.kind} onRetry={onRetry} />
        )}
      </div>
      <p className="mt-3 truncate text-center text-xs text-text/80">
        {isDense ? "A fine code: go close to scan it." : <bdi>{text.slice(0, 200) || "\u00a0"}</bdi>}
      </p>
    </>
  );
}

function Instead({ kind, onRetry }: { kind: Exclude<CodeState["kind"], "code">; onRetry: () => void }) {
  if (kind === "working") return <Skeleton className="size-full" />;
  return (
    <div
      role={kind === "empty" ? "status" : "alert"}
      className="grid size-full place-content-center justify-items-center gap-3 rounded-control border border-dashed border-muted p-4 text-center text-sm"
    >
      {words[kind]}
      {kind === "lost" && (
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const words = {
  empty: "No payload, no code.",
  "too-long": "Too long for a QR code. About 2,300 letters fit, and a short address scans best.",
  lost: "The code could not be drawn. Check your connection.",
};
