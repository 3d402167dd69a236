import { useId, useState } from "react";
import type { ComponentProps, ReactNode } from "react";

import { ToneIcon } from "#app/ui/components/notice.tsx";

export type FieldFrameProps = {
  label: string;
  /** The problem with the value, shown and announced. */
  error?: string;
  hint?: ReactNode;
  /** At the end of the label's line: a link or a menu. */
  aside?: ReactNode;
};

/** How long a text may be. The field counts while it is typed and never cuts it off. */
export type FieldLimit = {
  max: number;
  /** By default in UTF-16 code units. */
  count?: (text: string) => number;
  /** The error of a text that is too long. */
  tooLong?: string;
  /** Shows the counter from the first character. */
  isAlwaysCounted?: boolean;
};

/** A field with a limit listens to its input itself: use `onChange` there. */
type LimitProps = { limit?: FieldLimit | undefined };

/** A label, an input, and below it a hint and an error. */
export function FieldFrame({
  id,
  label,
  error,
  hint,
  aside,
  counter,
  children,
}: FieldFrameProps & { id: string; counter?: ReactNode; children: ReactNode }) {
  return (
    // Keeps the rows together beside a taller field.
    <div className="grid grid-cols-1 content-start gap-2">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {(aside || counter) && (
          <span className="flex min-w-0 items-baseline gap-3 text-muted tabular-nums">
            {counter}
            {aside}
          </span>
        )}
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
export function Field({ className = "", ...props }: FieldFrameProps & LimitProps & ComponentProps<"input">) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <input {...control} className={`${inputClass} h-12.5 ${className}`} />
    </FieldFrame>
  );
}

/** A text area with its label. Grows with its content in browsers that support it. */
export function TextAreaField({ className = "", rows = 3, ...props }: TextAreaFieldProps) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <textarea
        {...control}
        rows={rows}
        className={`${inputClass} field-sizing-content min-h-22 resize-y py-3 ${className}`}
      />
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldFrameProps & LimitProps & ComponentProps<"textarea">;

/** The props of a field's frame, and those of its control: what is left of the field's own. */
function useField<Control extends { id?: string | undefined; value?: unknown; defaultValue?: unknown }>({
  label,
  error,
  hint,
  aside,
  limit,
  ...input
}: FieldFrameProps & LimitProps & Control) {
  const ownId = useId();
  const id = input.id ?? ownId;
  const [counter, tooLong, onInput] = useLimit(limit, input.value ?? input.defaultValue);
  const problem = tooLong ?? error;
  return {
    frame: { id, label, hint, aside, counter, error: problem },
    control: { ...describedBy(id, { hint, error: problem }), ...input, ...(limit && { onInput }), id },
  };
}

/** The counter of a limited field, the error of a text that is too long, and the listener that keeps both current. */
function useLimit(limit: FieldLimit | undefined, value: unknown) {
  const [typed, setTyped] = useState<{ from: unknown; text: string }>();
  // A field with `value` gets what is typed from its owner, one with `defaultValue` from its own input event.
  const text = typed && typed.from === value ? typed.text : typeof value === "string" ? value : "";
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) =>
    limit && setTyped({ from: value, text: currentTarget.value });
  if (!limit) return [undefined, undefined, onInput] as const;
  const length = (limit.count ?? ((counted: string) => counted.length))(text);
  const counter = <Counter length={length} max={limit.max} isAlways={limit.isAlwaysCounted === true} />;
  return [
    counter,
    length > limit.max ? (limit.tooLong ?? `Use at most ${limit.max} characters.`) : undefined,
    onInput,
  ] as const;
}

/** "52/60", from four fifths of the limit on. Screen readers hear every ten characters how many are left. */
function Counter({ length, max, isAlways }: { length: number; max: number; isAlways: boolean }) {
  const left = max - length;
  const isNear = length >= max * 0.8;
  return (
    <>
      {(isNear || isAlways) && <span aria-hidden={!isAlways}>{`${length}/${max}`}</span>}
      <span role="status" className="sr-only">
        {isNear &&
          left >= 0 &&
          (left === 0 ? "No characters left" : `${Math.ceil(left / 10) * 10} or fewer characters left`)}
      </span>
    </>
  );
}
