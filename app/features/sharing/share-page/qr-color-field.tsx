import { useId } from "react";

import { Field } from "#app/ui/forms/field.tsx";

type QrColorFieldProps = {
  /** The name of the color in a form that is submitted. */
  name?: string;
  value: string;
  problem: string | undefined;
  onType: (text: string) => void;
};

/** Colors with enough contrast, and a field for a custom one. */
export function QrColorField({ name, value, problem, onType }: QrColorFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-3">
      <fieldset>
        <legend className="mb-2 text-sm font-medium">QR code color</legend>
        <div className="flex flex-wrap gap-1">
          {swatches.map(({ color, label, ground }) => (
            <label key={color} className={swatchClass} title={label}>
              <input
                type="radio"
                className="absolute inset-0 size-full appearance-none rounded-full opacity-0"
                name={name ?? id}
                value={color}
                checked={value.trim().toLowerCase() === color}
                onChange={() => onType(color)}
              />
              <span className="sr-only">{label}</span>
              <span
                className={`size-7 rounded-full border border-line-strong forced-color-adjust-none ${ground}`}
                aria-hidden="true"
              />
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        label="Custom color"
        hint="Hex value"
        dir="ltr"
        maxLength={8}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        {...(problem && { error: problem })}
      />
    </div>
  );
}

/** Whether a color is one of those with a button. */
export function isSwatch(value: string): boolean {
  return swatches.some(({ color }) => color === value);
}

const swatches = [
  { color: "#000000", label: "Black", ground: "bg-black" },
  { color: "#334155", label: "Slate", ground: "bg-[#334155]" },
  { color: "#1e3a8a", label: "Blue", ground: "bg-[#1e3a8a]" },
  { color: "#14532d", label: "Green", ground: "bg-[#14532d]" },
  { color: "#6b21a8", label: "Violet", ground: "bg-[#6b21a8]" },
  { color: "#9a3412", label: "Rust", ground: "bg-[#9a3412]" },
] as const;

const swatchClass =
  "relative grid size-11 place-items-center rounded-full border-2 border-transparent has-checked:border-text " +
  "has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-text";
