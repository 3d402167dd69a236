import { data, redirect } from "react-router";
import { z } from "zod";

import { leadStatuses } from "#app/features/leads/rules.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { paragraph } from "#app/services/base/plain-text.ts";
import type { Services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { parseBase } from "#app/ui/forms/merge-values.ts";
import { readBase } from "#app/ui/forms/versioned-values.ts";

import { readIds } from "#app/features/leads/inbox/inbox-action.server.ts";
import { markDistinct } from "#app/features/leads/inbox/merge/duplicates-data.server.ts";
import { separateLead } from "#app/features/leads/inbox/merge/merge-data.server.ts";
import { acceptLeads, deleteLeads, markRead, saveLeadNotes } from "#app/features/leads/inbox/lead-data.server.ts";
import type { SaveNotesResult } from "#app/features/leads/inbox/lead-data.server.ts";
import { statusLabels } from "#app/features/leads/inbox/messages.ts";
import { leadPath, withUndo } from "#app/features/leads/inbox/filter-schema.ts";
import { isDay, maxOwnerNote, readTags, tagProblem } from "#app/features/leads/inbox-rules.ts";

import { readTypedNotes } from "./notes-rules.ts";
import type { NotesField, TypedNotes } from "./notes-rules.ts";

/** What was typed, when it can't be saved. */
export type NotesResult = {
  typed: TypedNotes;
  errors: { ownerNote?: string; followUp?: string; tags?: string };
  /** Why nothing was saved, when that is not a field's fault. */
  notice?: string;
  /** What the form is to be compared with when it is sent again. */
  base: string;
  /** What is stored of fields that were also changed elsewhere. */
  changedElsewhere?: { field: NotesField; text: string }[];
};

type ChangeOptions = {
  ownerId: string;
  id: string;
  /** The query string of the page of the inbox that the lead was opened from. */
  list: string;
  request: Request;
};

/** The forms of a lead's page. The lead is the owner's. */
export async function changeLead(
  all: Services,
  { ownerId, id, list, request }: ChangeOptions,
): Promise<Response | NotesResult> {
  const form = await readForm(request);
  const ids = [id];
  const path = leadPath(id, list);
  switch (form.get("intent")) {
    case "save":
      return saveNotes(all, { ownerId, id, path, form });
    case "unread":
      await markRead(all.db, { ownerId, id, readAt: null });
      return redirectWithToast(`/leads${list}`, { title: "Marked as unread", tone: "success" });
    case "not-spam":
      await acceptLeads(all, { ownerId, ids });
      return redirectWithToast(path, { title: "Moved to your inbox", tone: "success" });
    case "separate":
      return separate(all, { ownerId, path, form });
    case "distinct":
      await markDistinct(all.db, { ownerId, id, otherId: readIds(form)[0] ?? "" });
      return redirectWithToast(path, { title: "No longer shown as a duplicate", tone: "success" });
    case "delete": {
      const { deletedAt } = await deleteLeads(all, { ownerId, ids });
      return redirect(`/leads${withUndo(list, deletedAt)}`);
    }
    default:
      throw data(null, { status: 400 });
  }
}

type LeadForm = { ownerId: string; id: string; path: string; form: FormFields };

/** Takes merged leads out again: those that the form names. */
async function separate(
  { db, clock }: Services,
  { ownerId, path, form }: Pick<LeadForm, "ownerId" | "path" | "form">,
): Promise<Response> {
  let count = 0;
  for (const other of readIds(form)) if (await separateLead(db, { ownerId, id: other, now: clock() })) count += 1;
  const title = count === 1 ? "1 lead separated" : `${count} leads separated`;
  return redirectWithToast(
    path,
    count > 0 ? { title, tone: "success" } : { title: "Nothing was left to separate", tone: "info" },
  );
}

const statusField = z.enum(leadStatuses);

async function saveNotes(
  { db, clock }: Services,
  { ownerId, id, path, form }: LeadForm,
): Promise<Response | NotesResult> {
  const status = statusField.safeParse(form.get("status"));
  if (!status.success) throw data(null, { status: 400 });
  const typed = readTypedNotes(form);
  const base = readBase(form);
  const ownerNote = paragraph(typed.ownerNote);
  const tags = readTags(typed.tags);
  const wrongTags = tagProblem(tags);
  const errors = {
    ...(ownerNote.length > maxOwnerNote && {
      ownerNote: `Use at most ${formatNumber(maxOwnerNote)} characters.`,
    }),
    ...(typed.followUp !== "" && !isDay(typed.followUp) && { followUp: "Enter a day that exists." }),
    ...(wrongTags && { tags: wrongTags }),
  };
  if (Object.keys(errors).length > 0) return { typed, errors, base };
  const notes = { status: status.data, ownerNote, followUp: typed.followUp, tags };
  const result = await saveLeadNotes(db, {
    ownerId,
    id,
    notes,
    // Where a form has a base that can't be read, every difference is asked about.
    base: base === "" ? undefined : (parseBase(base) ?? null),
    now: clock(),
  });
  if (result.kind === "conflict") return conflictOf(result);
  return redirectWithToast(
    path,
    result.kind === "saved"
      ? { title: "Saved", tone: "success" }
      : { title: "Nothing was saved", text: "This visitor withdrew their consent.", tone: "error" },
  );
}

/** The form keeps what was typed, and saves it when it is sent again. */
function conflictOf({ fields, merged, stored }: Extract<SaveNotesResult, { kind: "conflict" }>): NotesResult {
  return {
    typed: { ...merged, tags: merged.tags.join(", ") },
    errors: {},
    base: JSON.stringify(stored),
    changedElsewhere: fields.map((field) => ({
      field,
      text: field === "status" ? statusLabels[stored.status] : stored[field] || "Empty",
    })),
  };
}
