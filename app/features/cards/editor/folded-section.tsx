import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";

import { Chevron } from "#app/ui/components/icon.tsx";

import { hasOpenErrors } from "./form-state.ts";
import type { CardFormState } from "./form-state.ts";

/**
 * A section of the form that is closed while none of its fields is filled in. Closed or open, all of them are sent with the form, and an
 * error in it opens it.
 */
export function FoldedSection({ title, hint, state, fields, isFilled, children }: FoldedSectionProps) {
  const id = `${title.toLowerCase().replaceAll(" ", "-")}-title`;
  const details = useRef<HTMLDetailsElement>(null);
  const hasErrors = hasOpenErrors(state, fields);
  // Only the initial state: from then on the browser opens and closes it.
  const [isOpen] = useState(isFilled || hasErrors);

  // A closed section would hide its errors and could not receive the focus.
  const { rejection } = state;
  const openOnError = useEffectEvent(() => {
    if (details.current && hasErrors) details.current.open = true;
  });
  useEffect(() => {
    if (rejection) openOnError();
  }, [rejection]);

  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-raised">
      <details ref={details} open={isOpen} className="group/more">
        <summary className={summaryClass}>
          <span className="grid min-w-0 flex-1">
            <h2 id={id} className="text-[1.125rem] leading-7 font-semibold">
              {title}
            </h2>
            <span className="text-sm text-muted">{hint}</span>
          </span>
          <Chevron className="transition-transform group-open/more:rotate-180 motion-reduce:transition-none" />
        </summary>
        <div className="grid gap-6.5 px-5 pb-5 sm:px-6.5 sm:pb-6.5">{children}</div>
      </details>
    </section>
  );
}

type FoldedSectionProps = {
  title: string;
  hint: string;
  state: CardFormState;
  /** The names of its fields and lists. */
  fields: readonly string[];
  isFilled: boolean;
  children: ReactNode;
};

const summaryClass =
  "flex list-none items-center gap-4 rounded-card p-5 hover:text-text focus-visible:-outline-offset-2 sm:p-6.5 " +
  "[&::-webkit-details-marker]:hidden";
