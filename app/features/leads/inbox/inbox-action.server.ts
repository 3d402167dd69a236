import { data, redirect } from "react-router";
import type { ActionFunctionArgs } from "react-router";

import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";

import { listQuery, withUndo } from "./filter-schema.ts";
import { acceptLeads, deleteLeads, tagLeads, undoDeletion } from "./lead-data.server.ts";
import { inboxPageSize, readTags, tagProblem } from "#app/features/leads/inbox-rules.ts";

type InboxChange = { all: Services; ownerId: string; ids: readonly string[]; form: FormFields };

/** The form of the inbox: one action for all selected leads, then the same list again. A refused tag comes back with what was selected. */
export async function changeInbox({ request, context }: Pick<ActionFunctionArgs, "request" | "context">) {
  const form = await readForm(request);
  const list = listQuery(fieldText(form, "back"));
  const change = { all: services(context), ownerId: requireUser(context).id, ids: readIds(form), form };
  const intent = fieldText(form, "intent");
  if (intent === "tag" && change.ids.length > 0) {
    const tag = fieldText(form, "tag");
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
  const { all, ownerId, ids, form } = change;
  if (intent === "undo") {
    const deletedAt = Number(form.get("deletedAt"));
    const count = Number.isSafeInteger(deletedAt) ? await undoDeletion(all, { ownerId, deletedAt }) : 0;
    if (count > 0) return { title: `${counted(count)} restored`, tone: "success" };
    return { title: "Too late to undo", text: "What you deleted is erased.", tone: "info" };
  }
  if (intent !== "tag" && intent !== "not-spam" && intent !== "delete") throw data(null, { status: 400 });
  if (ids.length === 0) return { title: "No lead is selected", tone: "info" };
  if (intent === "not-spam")
    return { title: `${counted(await acceptLeads(all, { ownerId, ids }))} moved to your inbox`, tone: "success" };
  const count = await tagLeads(all.db, { ownerId, ids, tags: readTags(fieldText(form, "tag")) });
  return { title: `Tag added to ${counted(count)}`, tone: "success" };
}

function counted(count: number): string {
  return count === 1 ? "1 lead" : `${count} leads`;
}
