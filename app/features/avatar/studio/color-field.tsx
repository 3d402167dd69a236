import { useId, useState } from "react";

import { FieldError, inputClass } from "#app/ui/forms/field.tsx";

import { isColor, paperColor } from "#app/features/avatar/rules.ts";
import { chosenLabel, colorName } from "#app/features/avatar/messages.ts";
import { ChoiceHeader } from "./choice-header.tsx";

/** A color of a palette, a custom color, or the seed's choice unless `canBeSeeded` is false. */
export function AvatarColorField(props: AvatarColorFieldProps) {
  const { label, palette, chosen, drawn, canBeSeeded = true, onChoose } = props;
  const name = useId();
  const isRandom = chosen.length > 1;
  const only = chosen.length === 1 ? chosen[0] : undefined;
  return (
    <fieldset className="min-w-0">
      <ChoiceHeader
        label={label}
        chosen={isRandom ? "" : chosenLabel(chosen, colorName)}
        random={canBeSeeded ? { name, isChosen: isRandom, onChoose: () => onChoose([...palette]) } : undefined}
      />
      <div className="flex flex-wrap gap-2">
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
      <CustomColorField label={label} color={only} drawn={drawn} onChoose={(color) => onChoose([color])} />
    </fieldset>
  );
}

type AvatarColorFieldProps = {
  label: string;
  palette: readonly string[];
  chosen: string[];
  /** The color that the avatar is drawn with. */
  drawn: string;
  canBeSeeded?: boolean;
  onChoose: (colors: string[]) => void;
};

type SwatchProps = {
  name: string;
  label: string;
  color: string;
  isChosen: boolean;
  onChoose: () => void;
};

function Swatch({ name, label, color, isChosen, onChoose }: SwatchProps) {
  const isClear = color === "transparent";
  return (
    <label
      className={`${swatchClass} ${isClear ? "bg-[repeating-conic-gradient(#bbb_0_25%,#fff_0_50%)] bg-size-[16px_16px]" : ""}`}
      title={label}
      style={isClear ? undefined : { backgroundColor: `#${color}` }}
    >
      <input
        type="radio"
        name={name}
        className="absolute inset-0 size-full appearance-none rounded-full opacity-0"
        aria-label={label}
        checked={isChosen}
        onChange={onChoose}
      />
    </label>
  );
}

type CustomColorFieldProps = {
  label: string;
  color: string | undefined;
  drawn: string;
  onChoose: (color: string) => void;
};

/** A custom color: the browser's color picker, or hexadecimal digits. Both show the color of the drawing until another one is chosen. */
function CustomColorField({ label, color, drawn, onChoose }: CustomColorFieldProps) {
  const id = useId();
  const hex = color !== undefined && isHex(color) ? color : "";
  const shown = isHex(drawn) ? drawn : paperColor;
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
          aria-label={`${label}: pick a custom color`}
          value={`#${hex || shown}`}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <label htmlFor={id} className="shrink-0 text-muted">
          Custom color <span aria-hidden="true">#</span>
        </label>
        <input
          id={id}
          className={`${inputClass} h-11 max-w-32 font-mono text-sm`}
          value={text}
          placeholder={shown}
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
      {isWrong && <FieldError id={id}>Enter six characters from 0–9 and a–f, such as f29c65.</FieldError>}
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
