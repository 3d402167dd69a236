import { useEffect, useRef } from "react";
import type { ComponentProps } from "react";

import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { TextAreaField } from "#app/ui/text-area-field.tsx";

import { readSent } from "./details-text.ts";
import type { DetailsAnswer, DetailsText } from "./details-text.ts";

/** The card's and its owner's words, to be changed on the spot. The button is there when there is something to save. */
export function DetailsPanel({ text, answer, bioCount, isDirty, isSaving, onType, onSave }: DetailsPanelProps) {
  const form = useRef<HTMLFormElement>(null);
  // Whoever can't see where it is wrong is taken there.
  useEffect(() => {
    if (answer?.errors) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [answer]);

  const field = (name: keyof DetailsText) => ({
    name,
    defaultValue: text[name],
    error: answer?.sent[name] === text[name] ? answer.errors?.[name] : undefined,
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
      className={`grid gap-4 ${keepClear}`}
      onSubmit={submit}
      onInput={({ currentTarget }) => onType({ ...text, ...readSent(new FormData(currentTarget)) })}
    >
      <Field label="Display Name" {...field("display_name")} />
      <Field label="Profession / Title" {...field("profession")} />
      <Field label="Company" {...field("company")} />
      <Field label="Position" {...field("position")} />
      <Field label="Email Address" {...field("email")} type="email" autoCapitalize="none" spellCheck={false} />
      <Field label="Phone Number" {...field("phone")} type="tel" dir="ltr" />
      <TextAreaField label="Bio" {...field("bio")} aside={bioCount(text.bio)} />
      {isDirty && (
        <div className={saveLook}>
          <Button type="submit" variant="main" aria-disabled={isSaving} className="w-full">
            {isSaving ? "Saving..." : "Save Details"}
          </Button>
        </div>
      )}
    </form>
  );
}

type DetailsPanelProps = {
  /** As typed. */
  text: DetailsText;
  answer: DetailsAnswer | undefined;
  /** "57/160". */
  bioCount: (bio: string) => string;
  isDirty: boolean;
  isSaving: boolean;
  onType: (text: DetailsText) => void;
  onSave: () => void;
};

/** What gets the focus, and what is wrong with it below, is not hidden behind the button at the lower edge. */
const keepClear = "[&_:is(input,textarea)]:scroll-mb-36";
/** At the dialog's lower edge, wherever in the form one is. */
const saveLook =
  "sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-raised p-5 sm:-bottom-6.5 sm:-mx-6.5 sm:-mb-6.5 sm:px-6.5 animate-rise motion-reduce:animate-none";
