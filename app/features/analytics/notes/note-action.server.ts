import { data } from "react-router";
import type { ActionFunctionArgs } from "react-router";

import { ownerHourOf } from "#app/features/analytics/owner-time.ts";
import { findPreferences } from "#app/services/auth/account-preferences.server.ts";
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

type NoteArgs = { context: ActionFunctionArgs["context"]; form: FormFields; back: string };

/** The forms of notes. `back`: the address of the report, to which a saved note leads. */
export async function changeNotes({ context, form, back }: NoteArgs): Promise<Response | NoteResult> {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const typed = { day: fieldText(form, "day"), text: fieldText(form, "text") };
  const id = fieldText(form, "id");
  const result =
    fieldText(form, "intent") === "add-note"
      ? await add(all, ownerId, typed)
      : await change(all.db, { ownerId, id, text: fieldText(form, "text"), intent: fieldText(form, "intent") });
  if (typeof result === "string") return redirectWithToast(back, { title: result, tone: "success" });
  return { id, typed, errors: result };
}

type Problem = NoteResult["errors"];

async function add(
  { db, clock }: Services,
  ownerId: string,
  typed: NoteResult["typed"],
): Promise<"Note added" | Problem> {
  const now = clock();
  const { timeZone } = await findPreferences(db, ownerId);
  const read = noteForm(ownerHourOf(now, timeZone).day).safeParse(typed);
  if (!read.success) {
    const messageOf = (field: string) => read.error.issues.find(({ path }) => path[0] === field)?.message;
    return { day: messageOf("day"), text: messageOf("text") };
  }
  const added = await addNote(db, { ownerId, ...read.data, now });
  if (added === "gone") throw data(null, { status: 404 });
  return added === "full" ? { day: noteMessages.full } : "Note added";
}

async function change(
  db: Services["db"],
  { ownerId, id, text, intent }: { ownerId: string; id: string; text: string; intent: string },
): Promise<"Note saved" | "Note deleted" | Problem> {
  const key = parseNoteId(id);
  if (!key || (intent !== "save-note" && intent !== "delete-note")) throw data(null, { status: 400 });
  if (intent === "delete-note") {
    await deleteNote(db, { ownerId, ...key });
    return "Note deleted";
  }
  const read = noteText.safeParse(text);
  if (!read.success) return { text: read.error.issues[0]?.message };
  return (await changeNote(db, { ownerId, ...key, text: read.data })) ? "Note saved" : { text: noteMessages.gone };
}
