import type { ReactNode } from "react";

import { Seal } from "#app/ui/seal.tsx";

import { onPaper } from "./plan-paper.ts";

/** A card that says how it ended, signed when it ended well; below it where to go. */
export function PlanOutcome({ title, text, isSigned = false, children }: PlanOutcomeProps) {
  return (
    <div className="mx-auto grid w-full max-w-[34rem] grid-cols-1 gap-8 px-5 py-12 sm:py-20">
      <section className={`${card} ${onPaper}`}>
        <span className="flex min-h-9 justify-end">{isSigned && <Seal size={36} />}</span>
        <div className="self-end">
          <h1 className="heading text-[clamp(1.75rem,7vw,2.5rem)] leading-[1.12]">{title}</h1>
          <div className="mt-3 border-t border-line pt-3 text-muted">{text}</div>
        </div>
      </section>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow sm:justify-center">{children}</div>
    </div>
  );
}

type PlanOutcomeProps = { title: string; text: ReactNode; isSigned?: boolean; children: ReactNode };

// 91 x 55, as a card is.
const card = "grid aspect-[91/55] w-full grid-rows-[auto_1fr] rounded-card border p-6.5 sm:p-9";
