import { data } from "react-router";
import type { ActionFunctionArgs } from "react-router";

import { readRange } from "#app/features/analytics/report/range-rules.ts";
import { readReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { addNote, changeNote, deleteNote } from "./note-data.server.ts";
import { noteForm, noteMessages, noteText, parseNoteId } from "./note-schema.ts";

/** What was typed, when it can't be saved. `id`: of the note, or "" for a new one. */
export type NoteResult = {
  id: string;
  typed: { day: string; text: string };
  errors: { day?: string | undefined; text?: string | undefined };
};

type NoteArgs = { context: ActionFunctionArgs["context"]; form: FormFields; url: URL };

/** The forms of notes. `url`: the address of the report, to which a saved note leads. */
export async function changeNotes({ context, form, url }: NoteArgs): Promise<Response | NoteResult> {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const typed = { day: fieldText(form, "day"), text: fieldText(form, "text") };
  const id = fieldText(form, "id");
  const result =
    fieldText(form, "intent") === "add-note"
      ? await add(all, ownerId, { typed, query: url.searchParams })
      : await change(all.db, { ownerId, id, text: fieldText(form, "text"), intent: fieldText(form, "intent") });
  if ("title" in result) return redirectWithToast(`/analytics${url.search}`, { ...result, tone: "success" });
  return { id, typed, errors: result };
}

type Problem = NoteResult["errors"];

type Saved = { title: "Note added" | "Note saved" | "Note deleted"; text?: string };

async function add(
  services: Services,
  ownerId: string,
  { typed, query }: { typed: NoteResult["typed"]; query: URLSearchParams },
): Promise<Saved | Problem> {
  const { db, clock } = services;
  const owner = await readReportOwner(services, ownerId);
  const read = noteForm(owner.today).safeParse(typed);
  if (!read.success) {
    const messageOf = (field: string) => read.error.issues.find(({ path }) => path[0] === field)?.message;
    return { day: messageOf("day"), text: messageOf("text") };
  }
  const added = await addNote(db, { ownerId, ...read.data, now: clock() });
  if (added === "gone") throw data(null, { status: 404 });
  if (added === "full") return { day: noteMessages.full };
  const { from, to } = readRange(query, owner).range;
  const isShown = read.data.day >= from && read.data.day <= to;
  return { title: "Note added", ...(!isShown && { text: noteMessages.elsewhere }) };
}

async function change(
  db: Services["db"],
  { ownerId, id, text, intent }: { ownerId: string; id: string; text: string; intent: string },
): Promise<Saved | Problem> {
  const key = parseNoteId(id);
  if (!key || (intent !== "save-note" && intent !== "delete-note")) throw data(null, { status: 400 });
  if (intent === "delete-note") {
    await deleteNote(db, { ownerId, ...key });
    return { title: "Note deleted" };
  }
  const read = noteText.safeParse(text);
  if (!read.success) return { text: read.error.issues[0]?.message };
  return (await changeNote(db, { ownerId, ...key, text: read.data }))
    ? { title: "Note saved" }
    : { text: noteMessages.gone };
}
