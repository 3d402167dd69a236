import { useId, useRef } from "react";

import { Button, IconButton } from "#app/ui/components/button.tsx";
import { describedBy, FieldError, inputClass } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

import { contactMethodError } from "./form-state.ts";
import type { CardFormState } from "./form-state.ts";
import { messages } from "#app/features/cards/messages.ts";
import { emailKinds, maxContactMethods, phoneKinds, contactMethodLabels } from "#app/features/cards/card-fields.ts";
import { VisibilitySelect, PlainSelect, visibilityGroupClass } from "./card-field.tsx";
import type { ContactMethodValues } from "#app/features/cards/card-form.ts";
import { newRowId } from "#app/features/cards/card-form.ts";

/** Additional phone numbers or email addresses, each with its kind. `onChange` is called when rows are added or removed. */
export function ContactMethodList({ state, list, onChange }: ContactMethodListProps) {
  const rows = state.values[list];
  const texts = listTexts[list];
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = rows.length >= maxContactMethods;
  const error = state.rejection?.errors?.[list];

  const add = () => {
    if (!isFull) onChange([...rows, { id: newRowId(), kind: texts.kind, value: "", visibility: "" }]);
  };
  const remove = (row: ContactMethodValues) => {
    onChange(rows.filter(({ id }) => id !== row.id));
    addButton.current?.focus();
  };
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-4 text-sm font-medium">{texts.legend}</legend>
      {rows.map((row, index) => (
        <ContactMethodFields key={row.id || index} {...{ state, list, row, index }} onRemove={() => remove(row)} />
      ))}
      {/* Without script no button can add a row: there is an empty one. */}
      {!isFull && (
        <noscript>
          <ContactMethodFields
            {...{ state, list, index: rows.length }}
            row={{ id: "", kind: texts.kind, value: "", visibility: "" }}
          />
        </noscript>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 noscript:hidden">
        <Button ref={addButton} size="s" onClick={add} aria-disabled={isFull} aria-describedby={`${list}-full`}>
          {texts.add}
        </Button>
        <p id={`${list}-full`} role="status" className="text-sm text-muted">
          {isFull && texts.tooMany}
        </p>
      </div>
      {error && <FieldError id={list}>{error}</FieldError>}
    </fieldset>
  );
}

type ContactMethodListProps = {
  state: CardFormState;
  list: "phones" | "emails";
  onChange: (rows: ContactMethodValues[]) => void;
};

/** The kind takes the place of a label. */
function ContactMethodFields({ state, list, row, index, onRemove }: ContactMethodFieldsProps) {
  const id = useId();
  const { one, kinds, field } = listTexts[list];
  const name = `${list}.${index}`;
  const label = `${one} ${index + 2}`;
  const error = contactMethodError(state, list, row.id);
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-1 gap-y-2 ${visibilityGroupClass}`}>
      <input type="hidden" name={`${name}.id`} value={row.id} autoComplete="off" />
      <div className="col-span-2 flex min-w-0 items-baseline justify-between gap-4 text-sm">
        <PlainSelect
          name={`${name}.kind`}
          aria-label={`${label} type`}
          defaultValue={row.kind}
          className="-ms-1.5 font-medium"
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {contactMethodLabels[kind]}
            </option>
          ))}
        </PlainSelect>
        <VisibilitySelect name={`${name}.visibility`} label={label} defaultValue={row.visibility} />
      </div>
      <input
        {...describedBy(id, { error })}
        {...field}
        id={id}
        aria-label={label}
        name={`${name}.value`}
        defaultValue={row.value}
        autoFocus={row.value === "" && onRemove !== undefined}
        placeholder=" "
        dir="ltr"
        className={`${inputClass} col-start-1 h-12.5`}
      />
      {onRemove && (
        <IconButton label={`Remove ${label}`} className="mt-0.5 -me-3" onClick={onRemove}>
          <Icon name="close" />
        </IconButton>
      )}
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}

type ContactMethodFieldsProps = {
  state: CardFormState;
  list: "phones" | "emails";
  row: ContactMethodValues;
  index: number;
  /** Absent without script: saving drops rows that were emptied. */
  onRemove?: () => void;
};

const listTexts = {
  phones: {
    legend: "Other phone numbers",
    one: "Phone",
    add: "Add phone",
    kind: "mobile",
    kinds: phoneKinds,
    tooMany: messages.tooManyPhones,
    field: { type: "tel", autoComplete: "off" },
  },
  emails: {
    legend: "Other emails",
    one: "Email",
    add: "Add email",
    kind: "home",
    kinds: emailKinds,
    tooMany: messages.tooManyEmails,
    field: { type: "email", autoComplete: "off", autoCapitalize: "none", spellCheck: false },
  },
} as const;
