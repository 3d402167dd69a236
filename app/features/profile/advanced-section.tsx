import { useState } from "react";

import { Chevron } from "#app/ui/chevron.tsx";
import { Late } from "#app/ui/late.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

import type { Pictures } from "./pictures.ts";

/** Banner, resume and accounts elsewhere: closed at first, and its script loaded when it is opened. */
export function AdvancedSection({ pictures, ownId }: { pictures: Pictures; ownId: string }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      className="group rounded-card border border-line bg-raised"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className={summaryLook}>
        <h2 className="flex-1 text-[1.125rem] leading-7 font-semibold sm:flex-none">Advanced</h2>
        <span className="order-last basis-full text-sm text-muted sm:order-none sm:flex-1 sm:basis-auto">
          Banner, resume, social accounts
        </span>
        <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
      </summary>
      <div className="px-5 pb-5 sm:px-6.5 sm:pb-6.5">
        {wasOpened && (
          <Late load={loadParts} waiting={<Waiting />}>
            {({ AdvancedParts }) => <AdvancedParts pictures={pictures} resumePath={`/u/${ownId}/resume`} />}
          </Late>
        )}
        <noscript>
          <p className="text-muted">Banner and resume need JavaScript, which is switched off in this browser.</p>
        </noscript>
      </div>
    </details>
  );
}

const loadParts = () => import("./advanced-parts.tsx");

/** As high as what comes. */
function Waiting() {
  return (
    <div className="grid gap-3" role="status" aria-label="Loading...">
      <Skeleton className="h-6 w-24" />
      <Skeleton className="aspect-3/1 w-full" />
      <Skeleton className="h-11 w-40" />
    </div>
  );
}

const summaryLook =
  "flex min-h-18 list-none flex-wrap items-center gap-x-4 rounded-card p-5 sm:px-6.5 [&::-webkit-details-marker]:hidden";
