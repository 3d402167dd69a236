import { data } from "react-router";

import { notSavedTexts } from "#app/features/leads/inbox/messages.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";

import type { NotesResult } from "./lead-action.server.ts";
import { readTypedNotes } from "./notes-rules.ts";

type ClientAction = { request: Request; serverAction: () => Promise<NotesResult> };

/** For a `clientAction`: keeps what was typed when the server can't be reached or the owner is signed out. */
export async function saveNotesInPlace({ request, serverAction }: ClientAction) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  if ("result" in response) return data<NotesResult>(response.result, { status: 422 });
  const notice = notSavedTexts[response.failure];
  return data<NotesResult>(
    { typed: readTypedNotes(form), errors: {}, notice, base: fieldText(form, "base") },
    { status: 503 },
  );
}
