import type { ComponentProps } from "react";

import { Field } from "#app/ui/field.tsx";

import { errorOf } from "./editing.ts";
import type { Editing } from "./editing.ts";
import { PlaceSelect, withValue } from "./more-place.tsx";

/**
 * One line of the card's form. No field cuts what is pasted: it is said to be too long. With `placed` its label's line says where it
 * is shown, as soon as it holds something.
 */
export function CardField({ editing, name, placed, ...field }: CardFieldProps) {
  const shared = { name, defaultValue: editing.text[name], error: errorOf(editing, name), dir: "auto", ...field };
  if (!placed) return <Field {...shared} />;
  const select = <PlaceSelect name={`shown.${placed}`} label={field.label} defaultValue={editing.text.shown[placed]} />;
  return (
    <div className={withValue}>
      <Field placeholder=" " {...shared} aside={select} />
    </div>
  );
}

type CardFieldProps = {
  editing: Editing;
  name: Parameters<typeof errorOf>[1];
  label: string;
  /** The field whose place is chosen here. */
  placed?: keyof Editing["text"]["shown"];
} & Pick<
  ComponentProps<typeof Field>,
  | "type"
  | "inputMode"
  | "autoComplete"
  | "hint"
  | "required"
  | "dir"
  | "autoCapitalize"
  | "spellCheck"
  | "placeholder"
  | "onBlur"
>;
