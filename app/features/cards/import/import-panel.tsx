import { useCallback, useRef, useState } from "react";

import { newRowId } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { readFileOnServer } from "#app/features/links/import-file.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { Button, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import { importMessages } from "./import-messages.ts";
import { fillForm } from "./import-result.ts";
import type { ContactImportResult, ImportedContact } from "./import-result.ts";

/** Fills in the form from a file. Nothing is saved, and Undo restores the form as it was. */
export function ContactImportPanel({ values, maxLinks, onFill, onClose }: ContactImportPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<ImportState>({ kind: "asking" });

  // The next step is to choose a file.
  const focusFileInput = () => panel.current?.querySelector("input")?.focus();
  const openPanel = useCallback((element: HTMLDivElement | null) => {
    panel.current = element;
    element?.querySelector("input")?.focus();
  }, []);

  const fill = (contact: ImportedContact) => {
    const filled = fillForm(values, contact, { newId: newRowId, maxLinks });
    setState({
      kind: "filled",
      before: values,
      leftOut: [...contact.leftOut, ...(filled.isFull ? [importMessages.linksOver(maxLinks)] : [])],
    });
    onFill(filled.values);
    // The button that was pressed is gone.
    focusFileInput();
  };
  const read = async (file: File) => {
    setState({ kind: "reading" });
    const result = await readFileOnServer<ContactImportResult>("/cards/import", file, hasContacts);
    if ("problem" in result) return setState({ kind: "refused", file: file.name, problem: result.problem });
    const [only] = result.contacts;
    if (only && result.total === 1) return fill(only);
    setState({ kind: "choosing", ...result });
  };
  const undo = (before: CardFormValues) => {
    onFill(before);
    setState({ kind: "asking" });
    focusFileInput();
  };
  return (
    <div ref={openPanel}>
      <section aria-labelledby="import-title" className="rounded-card border border-line bg-raised p-5 sm:p-6.5">
        <div className="mb-3 flex items-start justify-between gap-3">
          <h2 id="import-title" className="text-[1.125rem] leading-7 font-semibold">
            Import from contact or LinkedIn
          </h2>
          <IconButton label="Close" className="-me-3 -my-2" onClick={onClose}>
            <Icon name="close" size={18} />
          </IconButton>
        </div>
        <p id="import-hint" className="mb-4 text-sm text-muted">
          {importMessages.hint}
        </p>
        <FileButton
          label={state.kind === "reading" ? "Reading…" : "Choose a file"}
          accept=".vcf,.vcard,text/vcard,text/x-vcard,.zip,.csv"
          describedBy="import-hint"
          isInvalid={state.kind === "refused"}
          onChoose={(file) => void read(file)}
        />
        <div role="status" className="empty:hidden [&>*]:mt-4">
          {state.kind === "filled" && <FilledNotice leftOut={state.leftOut} onUndo={() => undo(state.before)} />}
        </div>
        {state.kind === "refused" && (
          <Notice tone="error" title={state.file} className="mt-4">
            {state.problem}
          </Notice>
        )}
        {state.kind === "choosing" && <ContactChoice {...state} onChoose={fill} />}
      </section>
    </div>
  );
}

type ContactImportPanelProps = {
  values: CardFormValues;
  /** Of the plan. */
  maxLinks: number;
  onFill: (values: CardFormValues) => void;
  onClose: () => void;
};

type ImportState =
  | { kind: "asking" | "reading" }
  | { kind: "refused"; file: string; problem: string }
  | { kind: "choosing"; contacts: ImportedContact[]; total: number }
  | { kind: "filled"; before: CardFormValues; leftOut: string[] };

function FilledNotice({ leftOut, onUndo }: { leftOut: readonly string[]; onUndo: () => void }) {
  const undo = (
    <Button size="s" onClick={onUndo}>
      Undo
    </Button>
  );
  return (
    <Notice tone="info" title={importMessages.filled} action={undo}>
      <p>{importMessages.nameHint}</p>
      {leftOut.length > 0 && <p className="mt-1">{importMessages.leftOut(leftOut)}</p>}
    </Notice>
  );
}

function ContactChoice({ contacts, total, onChoose }: ContactChoiceProps) {
  return (
    <div className="mt-4">
      <p role="status" className="mb-2 text-sm font-medium">
        {importMessages.choose(contacts.length, total)}
      </p>
      <ul className="grid max-h-72 gap-2 overflow-y-auto">
        {contacts.map((contact, index) => (
          <li key={index}>
            {/* The next step is to choose a contact. */}
            <button type="button" autoFocus={index === 0} className={choiceClass} onClick={() => onChoose(contact)}>
              <b className="font-semibold">
                <bdi>{contact.values.card_name}</bdi>
              </b>
              <small className="text-sm text-muted">
                <bdi>{contact.values.email || contact.values.phone || contact.values.profession}</bdi>
              </small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type ContactChoiceProps = { contacts: ImportedContact[]; total: number; onChoose: (contact: ImportedContact) => void };

function hasContacts(result: object): result is { contacts: ImportedContact[]; total: number } {
  return "contacts" in result && Array.isArray(result.contacts);
}

const choiceClass =
  "grid min-h-11 w-full gap-0.5 rounded-control border border-line-strong px-4 py-2 text-start hover:bg-higher focus-visible:bg-higher";
