import type { ComponentProps } from "react";

import { visibilityFields } from "#app/features/cards/card-fields.ts";
import { fieldLimit, textFields, visibilityLabels } from "#app/features/cards/card-form.ts";
import type { TypedFieldName } from "#app/features/cards/card-form.ts";
import { withScheme } from "#app/features/links/rules.ts";
import { Chevron } from "#app/ui/components/icon.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { fieldError } from "./form-state.ts";
import type { CardFormState } from "./form-state.ts";

/**
 * A text field of the card's form. It doesn't truncate what is pasted: it counts, and an error says that it is too long. Beside the
 * label of a field with a visibility the owner chooses where it appears, as soon as it holds something.
 */
export function CardField({ state, name, ...field }: CardFieldProps) {
  const { label, hint, autoComplete = "off", isWebAddress } = textFields[name];
  const shared = {
    name,
    label,
    hint,
    autoComplete,
    defaultValue: state.values[name],
    error: fieldError(state, name),
    limit: fieldLimit(name),
    dir: "auto",
    placeholder: " ",
    ...(isWebAddress && webAddressInput),
    ...field,
  };
  const placed = visibilityFields.find((one) => one === name);
  if (!placed) return <Field {...shared} />;
  const select = (
    <VisibilitySelect name={`visibility.${placed}`} label={label} defaultValue={state.values.visibility[placed]} />
  );
  return (
    // In two columns, the select is cut off rather than the label broken within a word.
    <div className={`${visibilityGroupClass} sm:[&_label]:wrap-break-word`}>
      <Field {...shared} aside={select} />
    </div>
  );
}

type CardFieldProps = {
  state: CardFormState;
  name: TypedFieldName;
} & Pick<
  ComponentProps<typeof Field>,
  "type" | "inputMode" | "hint" | "required" | "dir" | "autoCapitalize" | "spellCheck"
>;

const webAddressInput = {
  onBlur: addScheme,
  inputMode: "url",
  autoCapitalize: "none",
  spellCheck: false,
  placeholder: "https://",
  dir: "ltr",
} as const;

/**
 * Where a field appears: on the page, in the contact file, or both. Visible as soon as a field with a placeholder in the same
 * `visibilityGroupClass` holds something, without script as well.
 */
export function VisibilitySelect({ name, label, defaultValue }: { name: string; label: string; defaultValue: string }) {
  return (
    <PlainSelect
      name={name}
      aria-label={`${label} visibility`}
      defaultValue={defaultValue}
      className="-me-1.5 text-muted [text-align-last:end] hover:text-text"
      frame="invisible group-has-[[placeholder]:not(:placeholder-shown)]/placed:visible"
    >
      {Object.entries(visibilityLabels).map(([visibility, text]) => (
        <option key={visibility} value={visibility}>
          {text}
        </option>
      ))}
    </PlainSelect>
  );
}

/** For an element that contains one or more fields and the select for all of them. */
export const visibilityGroupClass = "group/placed";

/** The browser's own menu, drawn as small text. It is a finger high without making its line higher. */
export function PlainSelect({ frame = "", className = "", ...select }: ComponentProps<"select"> & { frame?: string }) {
  return (
    <span className={`relative -my-3 inline-flex min-w-0 items-center ${frame}`}>
      <select autoComplete="off" className={`${selectClass} ${className}`} {...select} />
      <Chevron size={12} className="pointer-events-none absolute end-0.5" />
    </span>
  );
}

const selectClass =
  "h-11 min-w-0 cursor-pointer appearance-none text-ellipsis rounded-control bg-transparent ps-1.5 pe-6 text-sm " +
  "focus-visible:-outline-offset-4 *:bg-raised *:text-text";

/** For the blur event of a field that holds an address: "example.com" becomes "https://example.com", as if it had been typed. */
export function addScheme({ currentTarget: input }: React.FocusEvent<HTMLInputElement>) {
  const address = withScheme(input.value);
  if (address === input.value) return;
  input.value = address;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
