import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";

/**
 * On or off, at once or with its form: a checkbox in every way but its look and its role.
 * With `isLabelHidden` the label is only read out, for a row whose words already say what is switched.
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
          // The checkbox itself says whether it is on.
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          className={track}
        />
        <span className={knob} aria-hidden="true" />
      </span>
    </label>
  );
}

type SwitchProps = { label: ReactNode; hint?: ReactNode; isLabelHidden?: boolean } & Omit<
  ComponentProps<"input">,
  "type" | "role"
>;

const track =
  "peer col-start-1 row-start-1 h-6 w-10 appearance-none rounded-full border border-muted bg-higher checked:border-switch-on checked:bg-switch-on " +
  "forced-colors:border-[ButtonText] forced-colors:checked:bg-[Highlight]";
const knob =
  "pointer-events-none col-start-1 row-start-1 size-4 -translate-x-2 rounded-full bg-muted transition-transform peer-checked:translate-x-2 " +
  "peer-checked:bg-white rtl:translate-x-2 rtl:peer-checked:-translate-x-2 motion-reduce:transition-none forced-colors:bg-[ButtonText]";
