import { useRef, useState } from "react";
import { Form, useNavigation } from "react-router";

import { leadStatuses } from "#app/features/leads/rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { LeaveGuard } from "#app/ui/forms/leave-guard.tsx";

import { Row } from "./lead-panels.tsx";
import type { NotesResult } from "./lead-action.server.ts";
import { isSameNotes, noteLabels, readTypedNotes } from "./notes-rules.ts";
import type { TypedNotes } from "./notes-rules.ts";
import { leaveUnsavedNotes, statusLabels } from "#app/features/leads/inbox/messages.ts";
import { maxOwnerNote } from "#app/features/leads/inbox-rules.ts";

type NotesFormProps = {
  lead: Pick<Lead, "status" | "ownerNote" | "followUp">;
  tags: readonly string[];
  ownTags: readonly string[];
  timeZone: string;
  result: NotesResult | undefined;
};

/** What the owner writes about a lead. */
export function NotesForm({ lead, tags, ownTags, timeZone, result }: NotesFormProps) {
  const isBusy = useNavigation().formData?.get("intent") === "save";
  const { typed, errors = {}, notice, changedElsewhere } = result ?? {};
  const values = typed ?? { ...lead, tags: tags.join(", ") };
  const [isChanged, setChanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  // On a phone the button is far below the notices.
  useFocusFirstError(form, result, () => notices.current?.scrollIntoView({ block: "center" }));
  return (
    <Panel title="Your notes" className="print:hidden">
      <Form
        ref={form}
        method="post"
        preventScrollReset
        onChange={({ currentTarget }) =>
          setChanged(!isSameNotes(readTypedNotes(new FormData(currentTarget)), { ...lead, tags }))
        }
        className="grid gap-5"
      >
        <input type="hidden" name="base" value={result?.base ?? notesBase(lead, tags)} autoComplete="off" />
        <div ref={notices} className="grid gap-5 empty:hidden">
          {notice && (
            <Notice tone="error" title="Not saved">
              {notice}
            </Notice>
          )}
          {changedElsewhere && <ConflictNotice fields={changedElsewhere} />}
        </div>
        <NotesFields {...{ values, errors, ownTags, timeZone }} />
        <Button
          type="submit"
          variant="main"
          name="intent"
          value="save"
          aria-disabled={isBusy}
          className="justify-self-start"
        >
          {isBusy ? "Saving..." : "Save"}
        </Button>
      </Form>
      <LeaveGuard
        isDirty={isChanged || result !== undefined}
        isSaving={isBusy}
        text={leaveUnsavedNotes}
        backText={leaveUnsavedNotes}
        backTo="/leads"
      />
    </Panel>
  );
}

function ConflictNotice({ fields }: { fields: NonNullable<NotesResult["changedElsewhere"]> }) {
  return (
    <Notice tone="warning" title="Also changed in another window">
      <p>Not saved yet. Save again to keep what is below instead of:</p>
      <dl className="mt-2 grid gap-2">
        {fields.map(({ field, text }) => (
          <Row key={field} label={noteLabels[field]}>
            {text}
          </Row>
        ))}
      </dl>
    </Notice>
  );
}

type NotesFieldsProps = Pick<NotesFormProps, "ownTags" | "timeZone"> & {
  values: TypedNotes;
  errors: NotesResult["errors"];
};

function NotesFields({ values, errors, ownTags, timeZone }: NotesFieldsProps) {
  return (
    <>
      <ChoiceField label={noteLabels.status} name="status" options={statusOptions} value={values.status} />
      <Field
        label={noteLabels.followUp}
        type="date"
        name="followUp"
        defaultValue={values.followUp}
        hint={`Your time zone: ${timeZone.replaceAll("_", " ")}`}
        {...(errors.followUp && { error: errors.followUp })}
      />
      <Field
        label={noteLabels.tags}
        name="tags"
        list="own-tags"
        autoComplete="off"
        defaultValue={values.tags}
        hint="Separated by commas."
        {...(errors.tags && { error: errors.tags })}
      />
      <datalist id="own-tags">
        {ownTags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      <TextAreaField
        label={noteLabels.ownerNote}
        name="ownerNote"
        rows={5}
        defaultValue={values.ownerNote}
        limit={{ max: maxOwnerNote }}
        hint="Private to you, unless the visitor requests their data."
        {...(errors.ownerNote && { error: errors.ownerNote })}
      />
    </>
  );
}

/** What the form starts from, to be merged with what another window saves meanwhile. */
export function notesBase({ status, ownerNote, followUp }: NotesFormProps["lead"], tags: readonly string[]): string {
  return JSON.stringify({ status, ownerNote, followUp, tags });
}

type PrintedNotesProps = Pick<NotesFormProps, "lead" | "tags"> & { followUp: string };

/** The notes on paper, where a field would cut off what it has no room for. */
export function PrintedNotes({ lead: { status, ownerNote }, tags, followUp }: PrintedNotesProps) {
  return (
    <Panel title="Your notes" className="hidden print:block">
      <dl className="grid gap-4">
        <Row label={noteLabels.status}>{statusLabels[status]}</Row>
        {followUp && <Row label={noteLabels.followUp}>{followUp}</Row>}
        {tags.length > 0 && <Row label={noteLabels.tags}>{tags.join(", ")}</Row>}
        {ownerNote && <Row label={noteLabels.ownerNote}>{ownerNote}</Row>}
      </dl>
    </Panel>
  );
}

const statusOptions = leadStatuses.map((id) => ({ id, label: statusLabels[id] }));
