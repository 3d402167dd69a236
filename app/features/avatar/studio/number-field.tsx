import { useId, useState } from "react";

import { FieldError, inputClass } from "#app/ui/forms/field.tsx";

import { bounds } from "#app/features/avatar/rules.ts";

/** A number within bounds, as a slider and a text input. Invalid input stays in the text input to be corrected. */
export function NumberField({ label, kind, unit, value, onChange }: NumberFieldProps) {
  const id = useId();
  const { min, max } = bounds[kind];
  const [typed, setTyped] = useState<string>();
  const isWrong = typed !== undefined && !isWithin(typed, min, max);
  const type = (text: string) => {
    setTyped(text);
    if (isWithin(text, min, max)) onChange(Number(text));
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={`${id}-number`} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-center gap-4">
        <input
          type="range"
          className="h-11 min-w-0 flex-1 accent-main"
          aria-label={label}
          aria-valuetext={`${value}${unit}`}
          min={min}
          max={max}
          value={value}
          onChange={(event) => {
            setTyped(undefined);
            onChange(Number(event.currentTarget.value));
          }}
        />
        <span className="flex items-center gap-1.5 text-sm text-muted">
          <input
            id={`${id}-number`}
            inputMode={min < 0 ? "text" : "numeric"}
            className={`${inputClass} h-11 w-18! px-3! text-end text-sm! tabular-nums`}
            value={typed ?? String(value)}
            autoComplete="off"
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? `${id}-error` : undefined}
            onChange={(event) => type(event.currentTarget.value.trim())}
            onBlur={() => !isWrong && setTyped(undefined)}
          />
          <span className="w-4">{unit}</span>
        </span>
      </div>
      {isWrong && (
        <FieldError id={id}>
          Enter a whole number from {min} to {max}.
        </FieldError>
      )}
    </div>
  );
}

type NumberFieldProps = {
  label: string;
  kind: Exclude<keyof typeof bounds, "size">;
  /** "%", "°". */
  unit: string;
  value: number;
  onChange: (value: number) => void;
};

function isWithin(text: string, min: number, max: number): boolean {
  return /^-?\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
}
