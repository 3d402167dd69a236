import type { ReactNode } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { countGraphemes, initials } from "#app/ui/components/characters.ts";
import { Skeleton } from "#app/ui/components/loading.tsx";

import type { DemoCard } from "./demo-card.ts";
import type { DemoCodeState } from "./use-demo-code.ts";

/** The demo's card, upright like a pass: 55 by 91, taller only when its text needs it. `children` is its QR code. */
export function DemoCardView({ card, children }: { card: DemoCard; children: ReactNode }) {
  const name = clipText(card.name);
  return (
    <article aria-label="Preview card" className="demo-card" data-accent={card.accent} data-card-mode={card.mode}>
      <div className="flex min-h-11 items-center justify-between gap-3">
        <p dir="auto" className="eyebrow line-clamp-3 min-w-0 text-(--accent)">
          {clipText(card.company)}
        </p>
        <span aria-hidden="true" className={monogramClass}>
          {initials(name)}
        </span>
      </div>
      <p
        dir="auto"
        className={`heading mt-5 line-clamp-3 min-h-11 pb-1 ${countGraphemes(name) > longNameLength ? "text-lg" : "text-xl leading-[1.3]"}`}
      >
        {name}
      </p>
      <p dir="auto" className="line-clamp-3 text-sm text-text/80">
        {clipText(card.title)}
      </p>
      <div className="mt-auto pt-5">{children}</div>
    </article>
  );
}

const monogramClass =
  "heading grid size-11 shrink-0 place-items-center overflow-hidden rounded-full bg-(--accent) text-base text-(--end)";

/** Longer text would be cut off by CSS anyway. */
function clipText(text: string): string {
  return text.slice(0, 300);
}

/** Names with more characters than this get a smaller font. */
const longNameLength = 32;

/** The QR code on its light background, or the reason why there is none; below it the encoded text. */
export function DemoCodeView({ state, text, onRetry }: { state: DemoCodeState; text: string; onRetry: () => void }) {
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
            alt="QR code for the payload"
            className="box-content max-w-none rounded-control bg-(--code-background) p-2.5 forced-color-adjust-none"
          />
        ) : (
          <CodePlaceholder kind={state.kind} onRetry={onRetry} />
        )}
      </div>
      <p className="mt-3 truncate text-center text-xs text-text/80">
        {isDense ? "This code is dense. Move closer to scan it." : <bdi>{text.slice(0, 200) || "\u00a0"}</bdi>}
      </p>
    </>
  );
}

function CodePlaceholder({ kind, onRetry }: { kind: Exclude<DemoCodeState["kind"], "code">; onRetry: () => void }) {
  if (kind === "working") return <Skeleton className="size-full" />;
  return (
    <div
      role={kind === "empty" ? "status" : "alert"}
      className="grid size-full place-content-center justify-items-center gap-3 rounded-control border border-dashed border-muted p-4 text-center text-sm"
    >
      {placeholderTexts[kind]}
      {kind === "lost" && (
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

const placeholderTexts = {
  empty: "Enter a payload to get a code.",
  "too-long": "Too long for a QR code. The limit is about 2,300 characters, and short URLs scan best.",
  lost: "Couldn’t generate the code. Check your connection.",
};
