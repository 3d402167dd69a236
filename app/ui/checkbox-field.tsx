import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";

import { describedBy, FieldError } from "./field-frame.tsx";

/** A yes or no that is sent with its form. */
export function CheckboxField({ label, hint, error, className = "", ...input }: CheckboxFieldProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <div className={`grid gap-1 ${className}`}>
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2.5 leading-6 has-disabled:opacity-60">
        <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
          <input {...describedBy(id, { hint, error })} {...input} id={id} type="checkbox" className={box} />
          <svg className={tick} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M3 7.4l2.7 2.7L11 4.4" />
          </svg>
        </span>
        <span className="font-medium">{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className="-mt-2 ps-8 text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}

type CheckboxFieldProps = { label: ReactNode; hint?: ReactNode; error?: string } & Omit<
  ComponentProps<"input">,
  "type"
>;

const box =
  "peer col-start-1 row-start-1 size-5 appearance-none rounded-sm border border-muted bg-ground checked:border-main checked:bg-main " +
  "aria-invalid:border-error forced-colors:appearance-auto";
const tick =
  "pointer-events-none invisible col-start-1 row-start-1 fill-none stroke-on-main stroke-2 peer-checked:visible forced-colors:hidden";
