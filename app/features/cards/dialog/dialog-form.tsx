import { useRef } from "react";
import type { ComponentProps } from "react";

import { maxLengths } from "#app/features/cards/card-fields.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import { countCharacters } from "#app/services/base/plain-text.ts";
import { Button } from "#app/ui/components/button.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";
import type { FieldLimit } from "#app/ui/forms/field.tsx";

import { readDetailsForm } from "./details-form.ts";
import type { DetailsSaveResult, DetailsFormValues } from "./details-form.ts";

/** Edits the details of the card and of its owner. The button appears when there is something to save. */
export function DialogForm({ values, result, bioCount, isDirty, isSaving, onType, onSave }: DialogFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstError(form, result?.errors);

  const field = (name: keyof DetailsFormValues) => ({
    name,
    defaultValue: values[name],
    error: result?.sent[name] === values[name] ? result.errors?.[name] : undefined,
    limit: limits[name],
    dir: "auto",
    autoComplete: "off",
  });
  const submit: ComponentProps<"form">["onSubmit"] = (event) => {
    event.preventDefault();
    if (!isSaving) onSave();
  };
  return (
    <form
      ref={form}
      noValidate
      className={`grid gap-4 ${scrollMarginClass}`}
      onSubmit={submit}
      onInput={({ currentTarget }) => onType({ ...values, ...readDetailsForm(new FormData(currentTarget)) })}
    >
      <Field label="Display Name" {...field("display_name")} />
      <Field label="Profession / Title" {...field("profession")} />
      <Field label="Company" {...field("company")} />
      <Field label="Position" {...field("position")} />
      <Field label="Email Address" {...field("email")} type="email" autoCapitalize="none" spellCheck={false} />
      <Field label="Phone Number" {...field("phone")} type="tel" dir="ltr" />
      <TextAreaField label="Bio" {...field("bio")} aside={bioCount(values.bio)} />
      {isDirty && (
        <div className={saveBarClass}>
          <Button type="submit" variant="main" aria-disabled={isSaving} className="w-full">
            {isSaving ? "Saving..." : "Save Details"}
          </Button>
        </div>
      )}
    </form>
  );
}

/** For the counters; the bio has its own. */
const limits: Partial<Record<keyof DetailsFormValues, FieldLimit>> = {
  ...mapFields(["profession", "company", "position", "email", "phone"], (name) => ({ max: maxLengths[name] })),
  display_name: { max: maxLengths.displayName, count: countCharacters },
};

type DialogFormProps = {
  values: DetailsFormValues;
  result: DetailsSaveResult | undefined;
  /** "57/160". */
  bioCount: (bio: string) => string;
  isDirty: boolean;
  isSaving: boolean;
  onType: (values: DetailsFormValues) => void;
  onSave: () => void;
};

/** Keeps the focused field and its error above the button at the lower edge. */
const scrollMarginClass = "[&_:is(input,textarea)]:scroll-mb-36";
/** Sticks to the dialog's lower edge. */
const saveBarClass =
  "sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-raised p-5 sm:-bottom-6.5 sm:-mx-6.5 sm:-mb-6.5 sm:px-6.5 animate-rise motion-reduce:animate-none";
