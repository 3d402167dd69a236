import { data } from "react-router";

import { fieldText } from "#app/services/base/form-fields.ts";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";

import { readTypedContact } from "./in-person-fields.ts";
import type { ContactRejection } from "./in-person-fields.ts";
import { inPersonMessages as messages } from "#app/features/scanner/messages.ts";

type ClientAction = { request: Request; serverAction: () => Promise<ContactRejection> };

/** For a `clientAction`: keeps what was typed when the server can't be reached or the owner is signed out. */
export async function saveContactInPlace({ request, serverAction }: ClientAction) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  if ("result" in response) return data<ContactRejection>(response.result, { status: 422 });
  const notice = failureTexts[response.failure];
  return data<ContactRejection>(
    { typed: readTypedContact(form), errors: {}, notice, stamp: fieldText(form, "stamp") },
    { status: 503 },
  );
}

const failureTexts: Record<ActionFailure, string> = {
  offline: messages.offline,
  "signed-out": messages.signedOut,
  "too-large": messages.tooLarge,
  failed: messages.outcomeUnknown,
};
