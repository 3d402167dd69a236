import { data, redirect } from "react-router";
import { z } from "zod";

import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { leadStatuses } from "#app/features/leads/rules.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { paragraph } from "#app/services/base/plain-text.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";
import { parseBase } from "#app/ui/forms/merge-values.ts";
import { readBase } from "#app/ui/forms/versioned-values.ts";

import { readIds } from "#app/features/leads/inbox/inbox-action.server.ts";
import { markDistinct } from "#app/features/leads/inbox/merge/duplicates-data.server.ts";
import { separateLead } from "#app/features/leads/inbox/merge/merge-data.server.ts";
import {
  acceptLeads,
  deleteLeads,
  findInboxLead,
  markRead,
  saveLeadNotes,
} from "#app/features/leads/inbox/lead-data.server.ts";
import type { SaveNotesResult } from "#app/features/leads/inbox/lead-data.server.ts";
import { statusLabels } from "#app/features/leads/inbox/messages.ts";
import { leadPath, listQuery, withUndo } from "#app/features/leads/inbox/filter-schema.ts";
import { isDay, maxOwnerNote, readTags, tagProblem } from "#app/features/leads/inbox-rules.ts";

import { readTypedNotes } from "./notes-rules.ts";
import type { NotesField, TypedNotes } from "./notes-rules.ts";

/** What was typed, when it can't be saved. */
export type NotesResult = {
  typed: TypedNotes;
  errors: Partial<Record<NotesField, string>>;
  /** Why nothing was saved, when that is not a field's fault. */
  notice?: string;
  /** What the form is to be compared with when it is sent again. */
  base: string;
  /** What is stored of fields that were also changed elsewhere. */
  changedElsewhere?: { field: NotesField; text: string }[];
};

type LeadForm = SentForm<{ id: string }>;

/** The forms of a lead's page, by their `intent`. */
export const leadForms = {
  save: saveNotes,
  unread: async ({ all, ownerId, params: { id }, url }: LeadForm) => {
    await markRead(all.db, { ownerId, id, readAt: null });
    return redirectWithToast(`/leads${listOf(url)}`, { title: "Marked as unread", tone: "success" });
  },
  "not-spam": async (sent: LeadForm) => {
    await acceptLeads(sent.all, { ownerId: sent.ownerId, ids: [sent.params.id] });
    return redirectToLead(sent, { title: "Moved to your inbox", tone: "success" });
  },
  /** Takes merged leads out again: those that the form names. */
  separate: async (sent: LeadForm) => {
    const { all, ownerId, form } = sent;
    let count = 0;
    for (const id of readIds(form)) if (await separateLead(all.db, { ownerId, id, now: all.clock() })) count += 1;
    if (count === 0) return redirectToLead(sent, { title: "Nothing was left to separate", tone: "info" });
    const title = count === 1 ? "1 lead separated" : `${count} leads separated`;
    return redirectToLead(sent, { title, tone: "success" });
  },
  distinct: async (sent: LeadForm) => {
    const otherId = readIds(sent.form)[0] ?? "";
    await markDistinct(sent.all.db, { ownerId: sent.ownerId, id: sent.params.id, otherId });
    return redirectToLead(sent, { title: "No longer shown as a duplicate", tone: "success" });
  },
  delete: async ({ all, ownerId, params, url }: LeadForm) => {
    const { deletedAt } = await deleteLeads(all, { ownerId, ids: [params.id] });
    return redirect(`/leads${withUndo(listOf(url), deletedAt)}`);
  },
};

/** Throws a 404 for a lead of another owner. */
export async function requireLead({ all, ownerId, params: { id }, context, url }: LeadForm) {
  return (await findInboxLead(all.db, { ownerId, id })) ? undefined : throwNotFound(context, url);
}

/** The query string of the page of the inbox that the lead was opened from. */
function listOf(url: URL): string {
  return listQuery(url.searchParams.get("list"));
}

function redirectToLead({ params, url }: LeadForm, toast: ToastMessage): Response {
  return redirectWithToast(leadPath(params.id, listOf(url)), toast);
}

const statusField = z.enum(leadStatuses);

async function saveNotes(sent: LeadForm) {
  const { all, ownerId, params, form } = sent;
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
  if (Object.keys(errors).length > 0) return reject({ typed, errors, base });
  const notes = { status: status.data, ownerNote, followUp: typed.followUp, tags };
  const result = await saveLeadNotes(all.db, {
    ownerId,
    id: params.id,
    notes,
    // Where a form has a base that can't be read, every difference is asked about.
    base: base === "" ? undefined : (parseBase(base) ?? null),
    now: all.clock(),
  });
  if (result.kind === "conflict") return reject(conflictOf(result));
  return redirectToLead(
    sent,
    result.kind === "saved"
      ? { title: "Saved", tone: "success" }
      : { title: "Nothing was saved", text: "This visitor withdrew their consent.", tone: "error" },
  );
}

function reject(result: NotesResult) {
  return data(result, { status: 400 });
}

/** The form keeps what was typed, and saves it when it is sent again. */
function conflictOf({ fields, merged, stored }: Extract<SaveNotesResult, { kind: "conflict" }>): NotesResult {
  return {
    typed: { ...merged, tags: merged.tags.join(", ") },
    errors: {},
    base: JSON.stringify(stored),
    changedElsewhere: fields.map((field) => ({
      field,
      text: field === "status" ? statusLabels[stored.status] : String(stored[field]) || "Empty",
    })),
  };
}
