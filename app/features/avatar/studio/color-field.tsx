import { useId, useState } from "react";

import { Icon } from "#app/ui/components/icon.tsx";
import { FieldError, inputClass } from "#app/ui/forms/field.tsx";

import { isColor } from "#app/features/avatar/rules.ts";
import { bySeedLabel, chosenLabel, colorName } from "#app/features/avatar/messages.ts";

/** A color of a palette, a custom color, or the seed's choice unless `canBeSeeded` is false. */
export function AvatarColorField({ label, palette, chosen, canBeSeeded = true, onChoose }: AvatarColorFieldProps) {
  const name = useId();
  const only = chosen.length === 1 ? chosen[0] : undefined;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2.5 text-sm font-medium">
        {label} <span className="ms-1 font-normal text-muted">{chosenLabel(chosen, colorName)}</span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {canBeSeeded && (
          <Swatch
            {...{ name }}
            label={bySeedLabel}
            isChosen={chosen.length > 1}
            onChoose={() => onChoose([...palette])}
          >
            <Icon name="shuffle" size={20} />
          </Swatch>
        )}
        {[...palette, "transparent"].map((color) => (
          <Swatch
            key={color}
            {...{ name, color }}
            label={colorName(color)}
            isChosen={color === only}
            onChoose={() => onChoose([color])}
          />
        ))}
      </div>
      <CustomColorField label={label} color={only} onChoose={(color) => onChoose([color])} />
    </fieldset>
  );
}

type AvatarColorFieldProps = {
  label: string;
  palette: readonly string[];
  chosen: string[];
  canBeSeeded?: boolean;
  onChoose: (colors: string[]) => void;
};

type SwatchProps = {
  name: string;
  label: string;
  color?: string;
  isChosen: boolean;
  onChoose: () => void;
  children?: React.ReactNode;
};

function Swatch({ name, label, color, isChosen, onChoose, children }: SwatchProps) {
  const isClear = color === "transparent";
  return (
    <label
      className={`${swatchClass} ${isClear ? "bg-[repeating-conic-gradient(#bbb_0_25%,#fff_0_50%)] bg-size-[16px_16px]" : ""}`}
      title={label}
      style={color && !isClear ? { backgroundColor: `#${color}` } : undefined}
    >
      <input
        type="radio"
        name={name}
        className="absolute inset-0 size-full appearance-none rounded-full opacity-0"
        aria-label={label}
        checked={isChosen}
        onChange={onChoose}
      />
      {children}
    </label>
  );
}

type CustomColorFieldProps = { label: string; color: string | undefined; onChoose: (color: string) => void };

/** A custom color: the browser's color picker, or hexadecimal digits. */
function CustomColorField({ label, color, onChoose }: CustomColorFieldProps) {
  const id = useId();
  const hex = color === undefined || color === "transparent" ? "" : color;
  const [typed, setTyped] = useState<string>();
  const text = typed ?? hex;
  const isWrong = typed !== undefined && typed !== "" && !isHex(typed);
  const type = (value: string) => {
    const digits = value.trim().replace(/^#/, "").toLowerCase();
    setTyped(digits);
    if (isHex(digits)) onChoose(digits);
  };
  return (
    <div className="mt-3 grid gap-2">
      <div className="flex items-center gap-2.5 text-sm">
        <input
          type="color"
          className="h-11 w-14 shrink-0 cursor-pointer rounded-control border border-line-strong bg-transparent p-1"
          aria-label={`${label}: pick an own colour`}
          value={`#${hex || "e9e3d5"}`}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <label htmlFor={id} className="shrink-0 text-muted">
          Own colour <span aria-hidden="true">#</span>
        </label>
        <input
          id={id}
          className={`${inputClass} h-11 max-w-32 font-mono text-sm`}
          value={text}
          placeholder="f29c65"
          maxLength={7}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-error` : undefined}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={() => !isWrong && setTyped(undefined)}
        />
      </div>
      {isWrong && <FieldError id={id}>Six digits from 0 to f, like f29c65.</FieldError>}
    </div>
  );
}

function isHex(text: string): boolean {
  return isColor(text) && text !== "transparent";
}

const swatchClass =
  "relative grid size-11 place-items-center rounded-full bg-higher ring-1 ring-inset ring-line-strong " +
  "has-checked:outline-3 has-checked:outline-offset-2 has-checked:outline-text has-focus-visible:ring-3 has-focus-visible:ring-text " +
  "forced-colors:has-checked:outline-[Highlight] forced-color-adjust-none";
