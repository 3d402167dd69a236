import { data, redirect } from "react-router";

import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { ActionArgs, SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";

import { listQuery, withUndo } from "./filter-schema.ts";
import { acceptLeads, deleteLeads, tagLeads, undoDeletion } from "./lead-data.server.ts";
import { inboxPageSize, readTags, tagProblem } from "#app/features/leads/inbox-rules.ts";

type InboxChange = Pick<SentForm, "all" | "ownerId" | "text"> & { ids: readonly string[] };

/** The form of the inbox: one action for all selected leads, then the same list again. A refused tag comes back with what was selected. */
export async function changeInbox(args: ActionArgs) {
  const { all, ownerId, form, text } = await readSentForm(args);
  const [list, intent] = [listQuery(text("back")), text("intent")];
  const change = { all, ownerId, ids: readIds(form), text };
  if (intent === "tag" && change.ids.length > 0) {
    const tag = text("tag");
    const tags = readTags(tag);
    const problem = tags.length === 0 ? "Type a tag first." : tagProblem(tags);
    if (problem) return data({ tag, problem, ids: change.ids }, { status: 422 });
  }
  if (intent === "delete" && change.ids.length > 0) {
    const { deletedAt, count } = await deleteLeads(change.all, change);
    return redirect(`/leads${count > 0 ? withUndo(list, deletedAt) : list}`);
  }
  return redirectWithToast(`/leads${list}`, await changeLeads(intent, change));
}

/** The leads that a form or a query names with `id`, at most a page. */
export function readIds(form: Iterable<[string, FormDataEntryValue]>): string[] {
  const ids = [...form].flatMap(([name, id]) => (name === "id" && typeof id === "string" ? [id] : []));
  // No id contains a NUL, and PostgreSQL rejects text with one.
  return [...new Set(ids.filter((id) => id !== "" && !id.includes("\u0000")))].slice(0, inboxPageSize);
}

async function changeLeads(intent: string, change: InboxChange): Promise<ToastMessage> {
  const { all, ownerId, ids, text } = change;
  if (intent === "undo") {
    const deletedAt = Number(text("deletedAt"));
    const count = Number.isSafeInteger(deletedAt) ? await undoDeletion(all, { ownerId, deletedAt }) : 0;
    if (count > 0) return { title: `${counted(count)} restored`, tone: "success" };
    return { title: "Too late to undo", text: "What you deleted is erased.", tone: "info" };
  }
  if (intent !== "tag" && intent !== "not-spam" && intent !== "delete") throw data(null, { status: 400 });
  if (ids.length === 0) return { title: "No lead is selected", tone: "info" };
  if (intent === "not-spam")
    return { title: `${counted(await acceptLeads(all, { ownerId, ids }))} moved to your inbox`, tone: "success" };
  const count = await tagLeads(all.db, { ownerId, ids, tags: readTags(text("tag")) });
  return { title: `Tag added to ${counted(count)}`, tone: "success" };
}

function counted(count: number): string {
  return count === 1 ? "1 lead" : `${count} leads`;
}
