import type { ComponentProps } from "react";

import { linkTexts } from "#app/features/profile/editor/form-data.ts";
import type { LinkTextName } from "#app/features/profile/editor/form-data.ts";
import { Field } from "#app/ui/forms/field.tsx";

import type { LinkScheduleProps } from "./link-schedule.tsx";

/** A text of a link. */
export function LinkTextField({ row: { link, index, state, dispatch }, field, ...input }: LinkTextFieldProps) {
  return (
    <Field
      label={linkTexts[field].label}
      type="text"
      name={`links.${index}.${field}`}
      value={link[field]}
      onChange={(event) => dispatch({ kind: "link", key: link.key, change: { [field]: event.currentTarget.value } })}
      error={state.errors[`${link.key}.${field}`]}
      dir="auto"
      autoComplete="off"
      {...input}
    />
  );
}

type LinkTextFieldProps = Partial<ComponentProps<typeof Field>> & { row: LinkScheduleProps; field: LinkTextName };
