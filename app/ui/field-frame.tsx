import type { ReactNode } from "react";

import { ToneIcon } from "./tone-icon.tsx";

export type FieldWords = {
  label: string;
  /** What is wrong with the value, shown beside the field and read out. */
  error?: string;
  hint?: ReactNode;
  /** At the end of the label's line: a counter such as "57/160", a link. */
  aside?: ReactNode;
};

/** A label above, an input, and below it what helps or what is wrong. */
export function FieldFrame({
  id,
  label,
  error,
  hint,
  aside,
  children,
}: FieldWords & { id: string; children: ReactNode }) {
  return (
    // Beside a field that has more to say it keeps its rows together.
    <div className="grid content-start gap-2">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside && <span className="text-muted tabular-nums">{aside}</span>}
      </div>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={`${id}-error`} role="alert" className="flex gap-2 text-sm text-error">
      <span className="flex h-[1.5em] items-center">
        <ToneIcon tone="error" size={16} />
      </span>
      {children}
    </p>
  );
}

/** Ties an input to its hint and its error for those who can't see that they stand together. */
export function describedBy(id: string, { hint, error }: Pick<FieldWords, "hint" | "error">) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

export const inputLook =
  "w-full min-w-0 rounded-control border border-line-strong bg-ground px-4 text-base text-text transition-none " +
  "hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-error " +
  "disabled:cursor-not-allowed disabled:opacity-60 read-only:text-muted";
