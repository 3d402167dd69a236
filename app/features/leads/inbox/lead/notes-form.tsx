import { Form, useNavigation } from "react-router";

import { leadStatuses } from "#app/features/leads/rules.ts";
import type { Lead } from "#app/features/leads/schema.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import { Row } from "./lead-panels.tsx";
import type { NotesResult } from "./lead-action.server.ts";
import type { NotesField } from "./notes-rules.ts";
import { statusLabels } from "#app/features/leads/inbox/messages.ts";
import { maxOwnerNote } from "#app/features/leads/inbox/rules.ts";

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
  const { typed, errors = {}, changedElsewhere } = result ?? {};
  const values = typed ?? { ...lead, tags: tags.join(", ") };
  return (
    <Panel title="Your notes" className="print:hidden">
      <Form method="post" preventScrollReset className="grid gap-5">
        <input type="hidden" name="base" value={result?.base ?? notesBase(lead, tags)} autoComplete="off" />
        {changedElsewhere && (
          <Notice tone="warning" title="Also changed in another window">
            <p>Not saved yet. Save again to keep what is below instead of:</p>
            <dl className="mt-2 grid gap-2">
              {changedElsewhere.map(({ field, text }) => (
                <Row key={field} label={fieldLabels[field]}>
                  {text}
                </Row>
              ))}
            </dl>
          </Notice>
        )}
        <ChoiceField label={fieldLabels.status} name="status" options={statusOptions} value={values.status} />
        <Field
          label={fieldLabels.followUp}
          type="date"
          name="followUp"
          defaultValue={values.followUp}
          hint={`A day in your time zone (${timeZone.replaceAll("_", " ")}).`}
          {...(errors.followUp && { error: errors.followUp })}
        />
        <Field
          label="Tags"
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
          label={fieldLabels.ownerNote}
          name="ownerNote"
          rows={5}
          defaultValue={values.ownerNote}
          limit={{ max: maxOwnerNote }}
          hint="Only you see it, and the visitor if they ask what you store."
          {...(errors.ownerNote && { error: errors.ownerNote })}
        />
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
    </Panel>
  );
}

/** What the form starts from, to be merged with what another window saves meanwhile. */
export function notesBase({ status, ownerNote, followUp }: NotesFormProps["lead"], tags: readonly string[]): string {
  return JSON.stringify({ status, ownerNote, followUp, tags });
}

const fieldLabels: Record<NotesField, string> = { status: "Status", followUp: "Follow up on", ownerNote: "Note" };

type PrintedNotesProps = Pick<NotesFormProps, "lead" | "tags"> & { followUp: string };

/** The notes on paper, where a field would cut off what it has no room for. */
export function PrintedNotes({ lead: { status, ownerNote }, tags, followUp }: PrintedNotesProps) {
  return (
    <Panel title="Your notes" className="hidden print:block">
      <dl className="grid gap-4">
        <Row label="Status">{statusLabels[status]}</Row>
        {followUp && <Row label="Follow up on">{followUp}</Row>}
        {tags.length > 0 && <Row label="Tags">{tags.join(", ")}</Row>}
        {ownerNote && <Row label="Note">{ownerNote}</Row>}
      </dl>
    </Panel>
  );
}

const statusOptions = leadStatuses.map((id) => ({ id, label: statusLabels[id] }));
