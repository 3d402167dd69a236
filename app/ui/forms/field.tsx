import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";

import { ToneIcon } from "#app/ui/components/notice.tsx";

export type FieldFrameProps = {
  label: string;
  /** The problem with the value, shown and announced. */
  error?: string;
  hint?: ReactNode;
  /** At the end of the label's line: a counter such as "57/160", or a link. */
  aside?: ReactNode;
};

/** A label, an input, and below it a hint and an error. */
export function FieldFrame({
  id,
  label,
  error,
  hint,
  aside,
  children,
}: FieldFrameProps & { id: string; children: ReactNode }) {
  return (
    // Keeps the rows together beside a taller field.
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

/** Connects an input with its hint and error for screen readers. */
export function describedBy(id: string, { hint, error }: Pick<FieldFrameProps, "hint" | "error">) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

export const inputClass =
  "w-full min-w-0 rounded-control border border-line-strong bg-ground px-4 text-base text-text transition-none " +
  "hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-error " +
  "disabled:cursor-not-allowed disabled:opacity-60 read-only:text-muted";

/** A text input with its label. All other props go to the `<input>`. */
export function Field({
  label,
  error,
  hint,
  aside,
  className = "",
  ...input
}: FieldFrameProps & ComponentProps<"input">) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} aside={aside}>
      <input {...describedBy(id, { hint, error })} {...input} id={id} className={`${inputClass} h-12.5 ${className}`} />
    </FieldFrame>
  );
}

/** A text area with its label. Grows with its content in browsers that support it. */
export function TextAreaField({ label, error, hint, aside, className = "", rows = 3, ...input }: TextAreaFieldProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint} aside={aside}>
      <textarea
        {...describedBy(id, { hint, error })}
        {...input}
        id={id}
        rows={rows}
        className={`${inputClass} field-sizing-content min-h-22 resize-y py-3 ${className}`}
      />
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldFrameProps & ComponentProps<"textarea">;
