import { useState } from "react";
import { Form, useNavigation } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { countCharacters } from "#app/services/base/plain-text.ts";

import type { NoteResult } from "./note-action.server.ts";
import { maxNoteLength } from "./note-schema.ts";

/** A note as the page shows it. `label`: its day, in words. */
export type ShownNote = { id: string; label: string; text: string };

type NotesListProps = {
  /** Those of the period. */
  notes: readonly ShownNote[];
  /** What was refused. */
  result: NoteResult | undefined;
};

/** What the owner wrote about days of the period; nothing without notes. */
export function NotesList({ notes, result }: NotesListProps) {
  if (notes.length === 0) return null;
  return (
    <div className="mt-4 border-t border-line pt-3">
      <h3 className="text-sm font-semibold">Notes</h3>
      <ul className="divide-y divide-line">
        {notes.map((note) => (
          <NoteItem key={`${note.id} ${note.text}`} note={note} result={result?.id === note.id ? result : undefined} />
        ))}
      </ul>
    </div>
  );
}

/** A form for a new note, which opens on demand. `today`: "2026-11-23", in the owner's time zone. */
export function NewNote({ today, result }: Pick<NotesListProps, "result"> & { today: string }) {
  const refused = result?.id === "" ? result : undefined;
  const added = useAddedNotes(refused !== undefined);
  return (
    <details className="open:basis-full print:hidden" open={refused !== undefined}>
      <summary className={summaryClass}>Add a note</summary>
      <p className="max-w-160 text-sm text-muted">
        Note what happened on a day, such as a trade fair. It appears in the chart, so you see what it changed.
      </p>
      <Form
        key={added}
        method="post"
        preventScrollReset
        className="grid items-start gap-4 pt-4 pb-2.5 sm:grid-cols-[auto_1fr_auto]"
      >
        <Field
          label="Day"
          type="date"
          name="day"
          required
          defaultValue={refused ? refused.typed.day : today}
          {...(refused?.errors.day && { error: refused.errors.day })}
        />
        <TextField result={refused} text="" />
        <SaveButton intent="add-note" label="Add note" />
      </Form>
    </details>
  );
}

/** How many notes were added since the page was opened. A note on a day outside of the period isn't among those of the page. */
function useAddedNotes(isRefused: boolean): number {
  const isAdding = useNavigation().formData?.get("intent") === "add-note";
  const [{ wasAdding, added }, setState] = useState({ wasAdding: false, added: 0 });
  if (isAdding !== wasAdding) setState({ wasAdding: isAdding, added: isAdding || isRefused ? added : added + 1 });
  return added;
}

function NoteItem({ note, result }: { note: ShownNote; result: NoteResult | undefined }) {
  return (
    <li className="grid gap-x-4 py-2 sm:grid-cols-[10rem_1fr]">
      <span className="text-sm leading-6 text-muted">{note.label}</span>
      <div className="min-w-0">
        <p className="wrap-anywhere" dir="auto">
          {note.text}
        </p>
        <details className="print:hidden" open={result !== undefined}>
          <summary className={summaryClass}>
            Change<span className="sr-only">: {note.text}</span>
          </summary>
          <Form method="post" preventScrollReset className="grid items-start gap-4 pt-2 sm:grid-cols-[1fr_auto]">
            <input type="hidden" name="id" value={note.id} />
            <TextField result={result} text={note.text} />
            <div className="flex gap-2.5">
              <SaveButton intent="save-note" label="Save" />
              <SaveButton intent="delete-note" label="Delete" />
            </div>
          </Form>
        </details>
      </div>
    </li>
  );
}

function TextField({ result, text }: { result: NoteResult | undefined; text: string }) {
  return (
    <Field
      label="Note"
      name="text"
      autoComplete="off"
      limit={{ max: maxNoteLength, count: countCharacters }}
      defaultValue={result ? result.typed.text : text}
      {...(result?.errors.text && { error: result.errors.text })}
    />
  );
}

function SaveButton({ intent, label }: { intent: string; label: string }) {
  const isBusy = useNavigation().formData?.get("intent") === intent;
  return (
    <Button type="submit" name="intent" value={intent} aria-disabled={isBusy} className="min-h-12.5 sm:mt-7.25">
      {label}
    </Button>
  );
}

const summaryClass = "inline-flex min-h-11 cursor-pointer items-center text-sm text-muted hover:text-text";
