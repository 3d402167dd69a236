import { useEffect, useRef, useState } from "react";

import { readByServer } from "#app/features/links/import-file.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { Button, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";

import type { CardText } from "./card-text.ts";
import { filledFrom } from "./import-answer.ts";
import type { ContactAnswer, ImportedContact } from "./import-answer.ts";
import { importWords } from "./import-words.ts";

/** Fills the card's form in from a contact file. The form is as unsaved as if it had been typed, and can be had back as it was. */
export function ImportContact({ text, onFill, onClose }: ImportContactProps) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>({ kind: "asking" });

  // Whoever opened it wants to choose a file next.
  const toFile = () => place.current?.querySelector("input")?.focus();
  useEffect(toFile, []);

  const fill = (contact: ImportedContact) => {
    const filled = filledFrom(text, contact, newId);
    setState({
      kind: "filled",
      before: text,
      left: [...contact.left, ...(filled.isFull ? [importWords.linksOver] : [])],
    });
    onFill(filled.text);
    // The button that was pressed is gone.
    toFile();
  };
  const read = async (file: File) => {
    setState({ kind: "reading" });
    const answer = await readByServer<ContactAnswer>("/cards/import", file, isContacts);
    if ("problem" in answer) return setState({ kind: "refused", file: file.name, problem: answer.problem });
    const [only] = answer.contacts;
    if (only && answer.total === 1) return fill(only);
    setState({ kind: "choosing", ...answer });
  };
  const undo = (before: CardText) => {
    onFill(before);
    setState({ kind: "asking" });
    toFile();
  };
  return (
    <div ref={place}>
      <section aria-labelledby="import-title" className="rounded-card border border-line bg-raised p-5 sm:p-6.5">
        <div className="mb-3 flex items-start justify-between gap-3">
          <h2 id="import-title" className="text-[1.125rem] leading-7 font-semibold">
            Fill in from a contact file
          </h2>
          <IconButton label="Close" className="-me-3 -my-2" onClick={onClose}>
            <Icon name="close" size={18} />
          </IconButton>
        </div>
        <p id="import-hint" className="mb-4 text-sm text-muted">
          {importWords.hint}
        </p>
        <FileButton
          label={state.kind === "reading" ? "Reading…" : "Choose a .vcf file"}
          accept=".vcf,.vcard,text/vcard,text/x-vcard"
          describedBy="import-hint"
          isInvalid={state.kind === "refused"}
          onChoose={(file) => void read(file)}
        />
        <div role="status" className="empty:hidden [&>*]:mt-4">
          {state.kind === "filled" && <Filled left={state.left} onUndo={() => undo(state.before)} />}
        </div>
        {state.kind === "refused" && (
          <Notice tone="error" title={state.file} className="mt-4">
            {state.problem}
          </Notice>
        )}
        {state.kind === "choosing" && <Choice {...state} onChoose={fill} />}
      </section>
    </div>
  );
}

type ImportContactProps = { text: CardText; onFill: (text: CardText) => void; onClose: () => void };

type State =
  | { kind: "asking" | "reading" }
  | { kind: "refused"; file: string; problem: string }
  | { kind: "choosing"; contacts: ImportedContact[]; total: number }
  | { kind: "filled"; before: CardText; left: string[] };

function Filled({ left, onUndo }: { left: readonly string[]; onUndo: () => void }) {
  const undo = (
    <Button size="s" onClick={onUndo}>
      Undo
    </Button>
  );
  return (
    <Notice tone="info" title={importWords.filled} action={undo}>
      <p>{importWords.nameHint}</p>
      {left.length > 0 && <p className="mt-1">{importWords.left(left)}</p>}
    </Notice>
  );
}

function Choice({ contacts, total, onChoose }: ChoiceProps) {
  const list = useRef<HTMLUListElement>(null);
  // The question is what there is to do now; nothing was chosen with the file alone.
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <div className="mt-4">
      <p role="status" className="mb-2 text-sm font-medium">
        {importWords.choose(contacts.length, total)}
      </p>
      <ul ref={list} className="grid max-h-72 gap-2 overflow-y-auto">
        {contacts.map((contact, at) => (
          <li key={at}>
            <button type="button" className={choiceLook} onClick={() => onChoose(contact)}>
              <b className="font-semibold">
                <bdi>{contact.text.card_name}</bdi>
              </b>
              <small className="text-sm text-muted">
                <bdi>{contact.text.email || contact.text.phone || contact.text.profession}</bdi>
              </small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type ChoiceProps = { contacts: ImportedContact[]; total: number; onChoose: (contact: ImportedContact) => void };

function isContacts(answer: object): answer is { contacts: ImportedContact[]; total: number } {
  return "contacts" in answer && Array.isArray(answer.contacts);
}

/** Unlike crypto.randomUUID, this is there without https as well. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-");
}

const choiceLook =
  "grid min-h-11 w-full gap-0.5 rounded-control border border-line-strong px-4 py-2 text-start hover:bg-higher focus-visible:bg-higher";
