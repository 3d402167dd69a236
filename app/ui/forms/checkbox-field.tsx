import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";

import { describedBy, FieldError } from "./field.tsx";

/** A checkbox with its label, hint and error. */
export function CheckboxField({ label, hint, error, className = "", ...input }: CheckboxFieldProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <div className={`grid gap-1 ${className}`}>
      <label htmlFor={id} className="flex min-h-11 items-start gap-3 py-2.5 leading-6 has-disabled:opacity-60">
        <Checkbox {...describedBy(id, { hint, error })} {...input} id={id} className="mt-0.5" />
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

/** The box alone, for a label of another shape. */
export function Checkbox({ className = "", ...input }: Omit<ComponentProps<"input">, "type">) {
  return (
    <span className={`relative grid size-5 shrink-0 place-items-center ${className}`}>
      <input {...input} type="checkbox" className={boxClass} />
      <svg className={tickClass} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <path d="M3 7.4l2.7 2.7L11 4.4" />
      </svg>
    </span>
  );
}

type CheckboxFieldProps = { label: ReactNode; hint?: ReactNode; error?: string } & Omit<
  ComponentProps<"input">,
  "type"
>;

const boxClass =
  "peer col-start-1 row-start-1 size-5 appearance-none rounded-sm border border-muted bg-ground checked:border-main checked:bg-main " +
  "aria-invalid:border-error forced-colors:appearance-auto";
const tickClass =
  "pointer-events-none invisible col-start-1 row-start-1 fill-none stroke-on-main stroke-2 peer-checked:visible forced-colors:hidden";

/**
 * A checkbox with the look and the role of a switch. With `isLabelHidden` only screen readers get the label, for a row whose text already says
 * what is switched.
 */
export function Switch({ label, hint, isLabelHidden = false, className = "", ...input }: SwitchProps) {
  const ownId = useId();
  const id = input.id ?? ownId;
  return (
    <label htmlFor={id} className={`flex min-h-11 items-center gap-4 has-disabled:opacity-60 ${className}`}>
      <span className={isLabelHidden ? "sr-only" : "grid flex-1"}>
        <span className="font-medium">{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </span>
        )}
      </span>
      <span className="relative grid min-h-11 min-w-11 shrink-0 place-items-center">
        <input
          aria-describedby={hint ? `${id}-hint` : undefined}
          {...input}
          id={id}
          type="checkbox"
          // The checkbox itself conveys its state.
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          className={trackClass}
        />
        <span className={knobClass} aria-hidden="true" />
      </span>
    </label>
  );
}

type SwitchProps = { label: ReactNode; hint?: ReactNode; isLabelHidden?: boolean } & Omit<
  ComponentProps<"input">,
  "type" | "role"
>;

const trackClass =
  "peer col-start-1 row-start-1 h-6 w-10 appearance-none rounded-full border border-muted bg-higher checked:border-switch-on checked:bg-switch-on " +
  "forced-colors:border-[ButtonText] forced-colors:checked:bg-[Highlight]";
const knobClass =
  "pointer-events-none col-start-1 row-start-1 size-4 -translate-x-2 rounded-full bg-muted transition-transform peer-checked:translate-x-2 " +
  "peer-checked:bg-white rtl:translate-x-2 rtl:peer-checked:-translate-x-2 motion-reduce:transition-none forced-colors:bg-[ButtonText]";
