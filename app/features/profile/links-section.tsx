import { useState } from "react";
import { flushSync } from "react-dom";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { maxLinks } from "#app/features/links/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/confirm-dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FieldError } from "#app/ui/field-frame.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { isBlankLink } from "./draft.ts";
import type { LinkDraft } from "./draft.ts";
import { nameOf } from "./editing.ts";
import type { Edit, Editing } from "./editing.ts";
import { ImportButton, ImportPlace } from "./import-control.tsx";
import { LinkItem } from "./link-item.tsx";
import { NewLinkWithoutScript } from "./new-link.tsx";

/** The links in the order visitors see them. `isFixed`: a save is under way, and its answer counts the rows as they are now. */
export function LinksSection({ editing, dispatch, isFixed, canMove, now }: LinksSectionProps) {
  const [leaving, setLeaving] = useState<LinkDraft>();
  const [isImporting, setImporting] = useState(false);
  const { links } = editing.draft;

  const remove = ({ key }: LinkDraft) => {
    // The dialog would give the focus back to a button that is gone.
    flushSync(() => {
      setLeaving(undefined);
      dispatch({ kind: "remove", key });
    });
    document.getElementById(addId)?.focus();
  };
  const askToRemove = (link: LinkDraft) => (isBlankLink(link) ? remove(link) : setLeaving(link));

  const addButton = (
    <div className="flex flex-wrap gap-2">
      <AddButton dispatch={dispatch} isFixed={isFixed} />
      <ImportButton isOpen={isImporting} onToggle={() => setImporting(!isImporting)} />
    </div>
  );
  return (
    <Panel title="Links" aside={`${links.length} of ${maxLinks}`}>
      <p className="-mt-2 mb-4 text-sm text-muted">
        {linkMessages.tabRule} {canMove && linkMessages.tabsAreYours}
      </p>
      {links.length === 0 ? (
        <EmptyState title="No links yet" text="Add the places where people can find you." action={addButton} />
      ) : (
        <ul id={listId} className="group/links grid grid-cols-1 divide-y divide-line">
          {links.map((link, index) => (
            <LinkItem
              key={link.key}
              {...{ link, index, editing, dispatch, isFixed, canMove, now }}
              onRemove={() => askToRemove(link)}
            />
          ))}
        </ul>
      )}
      {editing.problems["links"] && <FieldError id={listId}>{editing.problems["links"]}</FieldError>}
      {links.length >= maxLinks && <p className="mt-4 text-sm text-muted">{linkMessages.tooMany}</p>}
      {links.length > 0 && links.length < maxLinks && <div className="mt-4">{addButton}</div>}
      {isImporting && <ImportPlace {...{ editing, dispatch, isFixed }} onClose={() => setImporting(false)} />}
      {links.length < maxLinks && <NewLinkWithoutScript index={links.length} />}
      <output className="sr-only">{editing.news}</output>
      <ConfirmDialog
        open={leaving !== undefined}
        title={linkMessages.confirmRemove}
        text={leaving && <span dir="auto">{nameOf(leaving)}</span>}
        confirmLabel="Remove"
        onConfirm={() => leaving && remove(leaving)}
        onCancel={() => setLeaving(undefined)}
      />
    </Panel>
  );
}

type LinksSectionProps = {
  editing: Editing;
  dispatch: (edit: Edit) => void;
  isFixed: boolean;
  /** Whether the plan lets a link stand on the other tab. */
  canMove: boolean;
  /** The server's time in epoch milliseconds. */
  now: number;
};

function AddButton({ dispatch, isFixed }: { dispatch: (edit: Edit) => void; isFixed: boolean }) {
  const add = () => {
    flushSync(() => dispatch({ kind: "add" }));
    document.getElementById(listId)?.querySelector<HTMLElement>("li:last-child input[type=text]")?.focus();
  };
  return (
    <Button id={addId} size="s" className="noscript:hidden" onClick={add} disabled={isFixed}>
      Add Link
    </Button>
  );
}

const listId = "links";
const addId = "add-link";
