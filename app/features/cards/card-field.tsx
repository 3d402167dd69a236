import type { ComponentProps } from "react";

import { Field } from "#app/ui/field.tsx";

import { errorOf } from "./editing.ts";
import type { Editing } from "./editing.ts";

/** One line of the card's form. No field cuts what is pasted: it is said to be too long. */
export function CardField({ editing, name, ...field }: CardFieldProps) {
  return <Field name={name} defaultValue={editing.text[name]} error={errorOf(editing, name)} dir="auto" {...field} />;
}

type CardFieldProps = { editing: Editing; name: Parameters<typeof errorOf>[1]; label: string } & Pick<
  ComponentProps<typeof Field>,
  "type" | "inputMode" | "autoComplete" | "hint" | "required" | "dir" | "autoCapitalize" | "spellCheck"
>;
