import { useRef, useState } from "react";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { maxLinks } from "#app/features/links/rules.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/confirm-dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { addScheme } from "./add-scheme.ts";
import { isBlankLink } from "./card-text.ts";
import type { LinkText } from "./card-text.ts";
import { linkErrorOf } from "./editing.ts";
import type { Editing } from "./editing.ts";
import { messages } from "./messages.ts";
import { newRowId } from "./row-id.ts";

/** The links of a card. `onChange` hears of links added and removed; what is typed in them the form itself hears. */
export function LinksSection({ editing, onChange }: LinksSectionProps) {
  const { links } = editing.text;
  const [asked, setAsked] = useState<LinkText>();
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = links.length >= maxLinks;

  const add = () => {
    if (!isFull) onChange([...links, { id: newRowId(), name: "", url: "" }]);
  };
  const remove = (link: LinkText) => {
    onChange(links.filter(({ id }) => id !== link.id));
    setAsked(undefined);
    addButton.current?.focus();
  };
  return (
    <Panel title="Professional Links" aside={`${links.length} of ${maxLinks}`}>
      <p className="mb-5 text-sm text-muted">{messages.linksHint}</p>
      {links.length === 0 && <p className={emptyLook}>{messages.noLinks}</p>}
      <ul className="grid divide-y divide-line">
        {links.map((link, row) => (
          <LinkFields
            key={link.id || row}
            editing={editing}
            row={row}
            onRemove={() => (isBlankLink(link) ? remove(link) : setAsked(link))}
          />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button ref={addButton} size="s" onClick={add} aria-disabled={isFull} aria-describedby="links-full">
          Add Link
        </Button>
        <p id="links-full" role="status" className="text-sm text-muted">
          {isFull && linkMessages.tooMany}
        </p>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        title={linkMessages.confirmRemove}
        text={asked && (asked.name.trim() || asked.url)}
        confirmLabel="Remove"
        onConfirm={() => asked && remove(asked)}
        onCancel={() => setAsked(undefined)}
      />
    </Panel>
  );
}

type LinksSectionProps = { editing: Editing; onChange: (links: LinkText[]) => void };

function LinkFields({ editing, row, onRemove }: { editing: Editing; row: number; onRemove: () => void }) {
  const link = editing.text.links[row];
  if (!link) return null;
  const name = `links.${row}`;
  return (
    <li className="py-4 first:pt-0">
      <fieldset className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
        <legend className="sr-only">Link {row + 1}</legend>
        <input type="hidden" name={`${name}.id`} value={link.id} autoComplete="off" />
        <Field
          label="Name"
          name={`${name}.name`}
          defaultValue={link.name}
          error={linkErrorOf(editing, link.id, "name")}
          autoFocus={isBlankLink(link)}
          autoComplete="off"
          dir="auto"
        />
        <div className="max-sm:col-span-2">
          <Field
            label="URL"
            name={`${name}.url`}
            defaultValue={link.url}
            error={linkErrorOf(editing, link.id, "url")}
            onBlur={addScheme}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            dir="ltr"
          />
        </div>
        <IconButton
          label={`Remove ${link.name.trim() || `link ${row + 1}`}`}
          className="col-start-2 row-start-1 mt-8 sm:col-start-3"
          onClick={onRemove}
        >
          <Icon name="close" />
        </IconButton>
      </fieldset>
    </li>
  );
}

const emptyLook =
  "rounded-control border border-dashed border-line-strong px-5 py-6 text-center text-sm text-balance text-muted";
