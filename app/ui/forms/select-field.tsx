import { Chevron } from "#app/ui/components/icon.tsx";

import { describedBy, FieldFrame, inputClass } from "./field.tsx";

/** A choice from a list, with its label. `options` are pairs of a value and its text. Without `onChange` the browser keeps the choice. */
export function SelectField({ id, label, name, value, hint, error, onChange, options }: SelectFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <span className="relative grid items-center">
        <select
          {...describedBy(id, { hint, error })}
          id={id}
          name={name}
          {...(onChange
            ? { value, onChange: (event) => onChange(event.currentTarget.value) }
            : { defaultValue: value, autoComplete: "off" })}
          className={`${inputClass} h-12.5 cursor-pointer appearance-none pe-11 text-text! *:bg-raised *:text-text`}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
        <Chevron className="pointer-events-none absolute end-4" />
      </span>
    </FieldFrame>
  );
}

type SelectFieldProps = {
  id: string;
  label: string;
  name: string;
  value: string;
  hint?: string | undefined;
  error?: string | undefined;
  onChange?: (value: string) => void;
  options: readonly (readonly [value: string, text: string])[];
};
