import { useId, useRef } from "react";

import { Button, IconButton } from "#app/ui/button.tsx";
import { describedBy, FieldError, inputLook } from "#app/ui/field-frame.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { reachErrorOf } from "./editing.ts";
import type { Editing } from "./editing.ts";
import { messages } from "./messages.ts";
import { emailKinds, maxReach, phoneKinds, reachNames } from "./more-fields.ts";
import { PlaceSelect, QuietSelect, withValue } from "./more-place.tsx";
import type { ReachText } from "./more-text.ts";
import { newRowId } from "./row-id.ts";

/** Further phones or e-mails, each with its kind. `onChange` hears of rows added and removed. */
export function ReachList({ editing, list, onChange }: ReachListProps) {
  const rows = editing.text[list];
  const words = texts[list];
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = rows.length >= maxReach;
  const problem = editing.answer?.errors?.[list];

  const add = () => {
    if (!isFull) onChange([...rows, { id: newRowId(), kind: words.kind, value: "", shown: "" }]);
  };
  const remove = (row: ReachText) => {
    onChange(rows.filter(({ id }) => id !== row.id));
    addButton.current?.focus();
  };
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-4 text-sm font-medium">{words.legend}</legend>
      {rows.map((row, index) => (
        <ReachFields key={row.id || index} {...{ editing, list, row, index }} onRemove={() => remove(row)} />
      ))}
      {/* Nothing adds a row where no script runs: there is one already. */}
      {!isFull && (
        <noscript>
          <ReachFields
            {...{ editing, list, index: rows.length }}
            row={{ id: "", kind: words.kind, value: "", shown: "" }}
          />
        </noscript>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 noscript:hidden">
        <Button ref={addButton} size="s" onClick={add} aria-disabled={isFull} aria-describedby={`${list}-full`}>
          {words.add}
        </Button>
        <p id={`${list}-full`} role="status" className="text-sm text-muted">
          {isFull && words.tooMany}
        </p>
      </div>
      {problem && <FieldError id={list}>{problem}</FieldError>}
    </fieldset>
  );
}

type ReachListProps = { editing: Editing; list: "phones" | "emails"; onChange: (rows: ReachText[]) => void };

/** Its kind stands where other fields have their label. */
function ReachFields({ editing, list, row, index, onRemove }: ReachFieldsProps) {
  const id = useId();
  const { one, kinds, field } = texts[list];
  const name = `${list}.${index}`;
  const label = `${one} ${index + 2}`;
  const error = reachErrorOf(editing, list, row.id);
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-1 gap-y-2 ${withValue}`}>
      <input type="hidden" name={`${name}.id`} value={row.id} autoComplete="off" />
      <div className="col-span-2 flex min-w-0 items-baseline justify-between gap-4 text-sm">
        <QuietSelect
          name={`${name}.kind`}
          aria-label={`Kind of ${label}`}
          defaultValue={row.kind}
          className="-ms-1.5 font-medium"
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {reachNames[kind]}
            </option>
          ))}
        </QuietSelect>
        <PlaceSelect name={`${name}.shown`} label={label} defaultValue={row.shown} />
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
        className={`${inputLook} col-start-1 h-12.5`}
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

type ReachFieldsProps = {
  editing: Editing;
  list: "phones" | "emails";
  row: ReachText;
  index: number;
  /** Left out where no script runs: an emptied row goes with the next save. */
  onRemove?: () => void;
};

const texts = {
  phones: {
    legend: "Other phones",
    one: "Phone",
    add: "Add Phone",
    kind: "mobile",
    kinds: phoneKinds,
    tooMany: messages.tooManyPhones,
    field: { type: "tel", autoComplete: "off" },
  },
  emails: {
    legend: "Other emails",
    one: "Email",
    add: "Add Email",
    kind: "home",
    kinds: emailKinds,
    tooMany: messages.tooManyEmails,
    field: { type: "email", autoComplete: "off", autoCapitalize: "none", spellCheck: false },
  },
} as const;
