import { useState } from "react";
import { flushSync } from "react-dom";

import { messages as linkMessages } from "#app/features/links/messages.ts";
import { countEntries, maxHeadings } from "#app/features/links/rules.ts";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { isBlankLink } from "#app/features/profile/editor/form-data.ts";
import type { LinkDraft } from "#app/features/profile/editor/form-data.ts";
import { Button } from "#app/ui/components/button.tsx";
import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";
import { Field, FieldError } from "#app/ui/forms/field.tsx";

import { linkTitle } from "#app/features/profile/editor/form-state.ts";
import type { ProfileFormAction, ProfileFormState } from "#app/features/profile/editor/form-state.ts";
import { LinkItem } from "./link-item.tsx";

/** The links in the order of the public page. While a save is running (`isFixed`) rows don't move: its response refers to their indexes. */
export function LinksSection({ state, dispatch, files, isFixed, canMove, maxLinks, now, clicks }: LinksSectionProps) {
  const [linkToRemove, setLinkToRemove] = useState<LinkDraft>();
  const [isImporting, setImporting] = useState(false);
  const { links } = state.draft;
  const count = countEntries(links);
  const isFull = count.links >= maxLinks;

  const remove = ({ key }: LinkDraft) => {
    // The dialog would return the focus to a button that no longer exists.
    flushSync(() => {
      setLinkToRemove(undefined);
      dispatch({ kind: "remove", key });
    });
    (document.getElementById(addId) ?? document.getElementById(addHeadingId))?.focus();
  };
  const confirmRemoval = (link: LinkDraft) => (isBlankLink(link) ? remove(link) : setLinkToRemove(link));
  const closeImport = () => {
    document.getElementById(importButtonId)?.focus();
    setImporting(false);
  };

  const adding = { dispatch, isFixed, maxLinks, addedCount: state.addedCount };
  const addButtons = (
    <div className="flex flex-wrap gap-2">
      {!isFull && <AddButton {...adding} />}
      {links.length > 0 && count.headings < maxHeadings && <AddHeadingButton {...adding} />}
      <ImportButton isOpen={isImporting} onToggle={() => setImporting(!isImporting)} />
    </div>
  );
  return (
    <Panel title="Links" aside={`${count.links} of ${maxLinks}`}>
      <p className="-mt-2 mb-4 text-sm text-pretty text-muted">
        {linkMessages.tabRule} {canMove && linkMessages.tabsAreYours}
      </p>
      {links.length === 0 ? (
        <EmptyState title="No links yet" text="Add the places where people can find you." action={addButtons} />
      ) : (
        <ul id={listId} className="group/links grid grid-cols-1 divide-y divide-line">
          {links.map((link, index) => (
            <LinkItem
              key={link.key}
              {...{ link, index, state, dispatch, files, isFixed, canMove, now }}
              clicks={clicks?.[link.id]}
              onRemove={() => confirmRemoval(link)}
            />
          ))}
        </ul>
      )}
      {state.errors["links"] && <FieldError id={listId}>{state.errors["links"]}</FieldError>}
      {isFull && <p className="mt-4 text-sm text-muted">{linkMessages.tooMany(maxLinks)}</p>}
      {links.length > 0 && <div className="mt-4">{addButtons}</div>}
      {isImporting && (
        <LazyPart load={loadImportPanel} fallback={<div className="h-35" />}>
          {({ ImportLinksPanel }) => (
            <ImportLinksPanel
              links={links}
              maxLinks={maxLinks}
              isFixed={isFixed}
              texts={state.draft}
              onFill={(name, value) => dispatch({ kind: "text", name, value })}
              onAdd={(imported) => imported.forEach((link) => dispatch({ kind: "add", maxLinks, link }))}
              onClose={closeImport}
            />
          )}
        </LazyPart>
      )}
      <NewLinkWithoutScript index={links.length} />
      <output className="sr-only">{state.announcement}</output>
      <ConfirmDialog
        open={linkToRemove !== undefined}
        title={linkToRemove?.kind === "heading" ? linkMessages.confirmRemoveHeading : linkMessages.confirmRemove}
        text={linkToRemove && <span dir="auto">{linkTitle(linkToRemove)}</span>}
        confirmLabel="Remove"
        onConfirm={() => linkToRemove && remove(linkToRemove)}
        onCancel={() => setLinkToRemove(undefined)}
      />
    </Panel>
  );
}

type LinksSectionProps = {
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
  files: ProfileFiles;
  isFixed: boolean;
  /** Whether the plan allows moving links to the other tab. */
  canMove: boolean;
  /** Of the plan. */
  maxLinks: number;
  /** The server's time in epoch milliseconds. */
  now: number;
  /** "12 clicks in 30 days" by link ID. */
  clicks?: Record<string, string> | undefined;
};

function AddButton({ isFixed, ...adding }: AddButtonProps) {
  return (
    <Button id={addId} size="s" className="noscript:hidden" onClick={() => addAndFocus(adding)} disabled={isFixed}>
      Add Link
    </Button>
  );
}

function AddHeadingButton({ isFixed, ...adding }: AddButtonProps) {
  const heading = { kind: "heading", label: "", url: "" } as const;
  return (
    <Button
      id={addHeadingId}
      size="s"
      className="noscript:hidden"
      onClick={() => addAndFocus(adding, heading)}
      disabled={isFixed}
    >
      Add heading
    </Button>
  );
}

function addAndFocus(
  { dispatch, maxLinks, addedCount }: Omit<AddButtonProps, "isFixed">,
  link?: Pick<LinkDraft, "kind" | "label" | "url">,
) {
  flushSync(() => dispatch({ kind: "add", maxLinks, ...(link && { link }) }));
  document.querySelector<HTMLElement>(`#${listId} [data-key="new-${addedCount}"] input[type=text]`)?.focus();
}

type AddButtonProps = {
  dispatch: (action: ProfileFormAction) => void;
  isFixed: boolean;
  maxLinks: number;
  /** How many links were added before: the key of the next one. */
  addedCount: number;
};

const loadImportPanel = () => import("./import-links-panel.tsx");

const listId = "links";
const addId = "add-link";
const addHeadingId = "add-heading";
const importButtonId = "import-links";

function ImportButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <Button
      id={importButtonId}
      variant="plain"
      size="s"
      className="noscript:hidden"
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      Import from LinkedIn or a file
    </Button>
  );
}

/** An empty row for browsers without script; the save drops it when it stays empty. */
function NewLinkWithoutScript({ index }: { index: number }) {
  return (
    <noscript>
      <div className="mt-4 grid gap-4 border-t border-line pt-4">
        <Field label="URL of a new link" name={`links.${index}.url`} dir="ltr" autoComplete="off" />
        <Field label="Name of a new link or heading" name={`links.${index}.label`} dir="auto" autoComplete="off" />
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" name={`links.${index}.kind`} value="heading" />
          Add it as a heading, without a URL
        </label>
        <input type="hidden" name={`links.${index}.on`} value="on" />
        <p className="text-sm text-muted">
          To remove a link, clear its fields. To change the order of your links, turn on JavaScript.
        </p>
      </div>
    </noscript>
  );
}
