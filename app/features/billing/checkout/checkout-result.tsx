import type { ReactNode } from "react";

import { paperClass } from "#app/features/billing/plan-card.tsx";
import { Seal } from "#app/features/shell/brand.tsx";

/** A card with the outcome of a checkout, signed when it succeeded, and links below it. */
export function CheckoutResult({ title, text, isSigned = false, children }: CheckoutResultProps) {
  return (
    <div className="mx-auto grid w-full max-w-[34rem] grid-cols-1 gap-8 px-5 py-12 sm:py-20">
      <section className={`${cardClass} ${paperClass}`}>
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

type CheckoutResultProps = { title: string; text: ReactNode; isSigned?: boolean; children: ReactNode };

// The proportions of a business card: 91 x 55 mm.
const cardClass = "grid aspect-[91/55] w-full grid-rows-[auto_1fr] rounded-card border p-6.5 sm:p-9";
