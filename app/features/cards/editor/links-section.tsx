import { useRef, useState } from "react";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { NetworkChoice } from "#app/features/links/network-choice.tsx";
import { findUserName, relabel } from "#app/features/links/site-data.ts";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import { useAfterPointerUp } from "#app/ui/forms/field-focus.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { addScheme } from "./card-field.tsx";
import { isBlankLink, newRowId } from "#app/features/cards/card-form.ts";
import type { LinkValues } from "#app/features/cards/card-form.ts";
import type { DesignOffer } from "./design-section.tsx";
import { linkError } from "./form-state.ts";
import type { CardFormState } from "./form-state.ts";
import { messages } from "#app/features/cards/messages.ts";

/** The links of a card. `onChange` is called when links are added or removed; the form itself reports what is typed in them. */
export function LinksSection({ state, card, onChange }: LinksSectionProps) {
  const { maxLinks } = card.offer;
  const { links } = state.values;
  const [linkToRemove, setLinkToRemove] = useState<LinkValues>();
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = links.length >= maxLinks;

  const add = () => {
    if (!isFull) onChange([...links, { id: newRowId(), name: "", url: "" }]);
  };
  const remove = (link: LinkValues) => {
    onChange(links.filter(({ id }) => id !== link.id));
    setLinkToRemove(undefined);
    addButton.current?.focus();
  };
  return (
    <Panel title="Professional Links" aside={`${links.length} of ${maxLinks}`}>
      <p className="mb-5 text-sm text-muted">{[messages.linksHint, card.linksTaken].filter(Boolean).join(" ")}</p>
      {links.length === 0 && <p className={emptyClass}>{messages.noLinks}</p>}
      <ul className="grid divide-y divide-line">
        {links.map((link, row) => (
          <LinkFields
            key={link.id || row}
            state={state}
            row={row}
            onRemove={() => (isBlankLink(link) ? remove(link) : setLinkToRemove(link))}
          />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button ref={addButton} size="s" onClick={add} aria-disabled={isFull} aria-describedby="links-full">
          Add Link
        </Button>
        <p id="links-full" role="status" className="text-sm text-muted">
          {isFull && linkMessages.tooMany(maxLinks)}
        </p>
      </div>
      <ConfirmDialog
        open={linkToRemove !== undefined}
        title={linkMessages.confirmRemove}
        text={linkToRemove && (linkToRemove.name.trim() || linkToRemove.url)}
        confirmLabel="Remove"
        onConfirm={() => linkToRemove && remove(linkToRemove)}
        onCancel={() => setLinkToRemove(undefined)}
      />
    </Panel>
  );
}

type LinksSectionProps = {
  state: CardFormState;
  /** `linksTaken`: which links of the profile a new card starts with. */
  card: { linksTaken: string | undefined; offer: Pick<DesignOffer, "maxLinks"> };
  onChange: (links: LinkValues[]) => void;
};

function LinkFields({ state, row, onRemove }: { state: CardFormState; row: number; onRemove: () => void }) {
  const link = state.values.links[row];
  if (!link) return null;
  const name = `links.${row}`;
  return (
    <li className="py-4 first:pt-0">
      <fieldset className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_auto]">
        <legend className="sr-only">Link {row + 1}</legend>
        <input type="hidden" name={`${name}.id`} value={link.id} autoComplete="off" />
        <UrlField link={link} name={name} error={linkError(state, link.id, "url")} />
        <div className="max-sm:col-span-2 sm:col-start-2 sm:row-start-1">
          <Field
            label="Name"
            name={`${name}.name`}
            defaultValue={link.name}
            error={linkError(state, link.id, "name")}
            autoComplete="off"
            dir="auto"
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

/** The URL, which also fills in the name. If a username was typed instead, asks for its network. */
function UrlField({ link, name, error }: { link: LinkValues; name: string; error: string | undefined }) {
  const input = useRef<HTMLInputElement>(null);
  const typed = useRef(link.url);
  const [wasLeft, setLeft] = useState(false);
  const afterPointerUp = useAfterPointerUp();
  const userName = wasLeft ? findUserName(link.url) : undefined;
  const suggestName = ({ currentTarget: { form, value } }: React.FormEvent<HTMLInputElement>) => {
    const field = form?.elements.namedItem(`${name}.name`);
    if (field instanceof HTMLInputElement) field.value = relabel(field.value, { from: typed.current, to: value });
    typed.current = value;
  };
  const choose = (url: string) => {
    if (!input.current) return;
    input.current.value = url;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
    // The button that was pressed disappears.
    input.current.focus();
  };
  return (
    <>
      <Field
        ref={input}
        label="URL"
        name={`${name}.url`}
        defaultValue={link.url}
        error={userName === undefined ? error : linkMessages.chooseNetwork(userName)}
        autoFocus={isBlankLink(link)}
        onInput={suggestName}
        onBlur={(event) => {
          addScheme(event);
          afterPointerUp(() => setLeft(true));
        }}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        dir="ltr"
      />
      {userName !== undefined && (
        <NetworkChoice userName={userName} onChoose={choose} className="col-span-full sm:row-start-2" />
      )}
    </>
  );
}

const emptyClass =
  "rounded-control border border-dashed border-line-strong px-5 py-6 text-center text-sm text-balance text-muted";
