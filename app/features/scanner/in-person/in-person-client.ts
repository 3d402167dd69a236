import { fieldText } from "#app/services/base/form-fields.ts";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";

import { readTypedContact } from "./in-person-fields.ts";
import type { ContactRejection } from "./in-person-fields.ts";
import { inPersonFailures, inPersonMessages as messages } from "#app/features/scanner/messages.ts";

type ClientAction = { request: Request; serverAction: () => Promise<ContactRejection> };

/** For a `clientAction`: keeps what was typed when the server can't be reached or the owner is signed out. */
export async function saveContactInPlace(args: ClientAction) {
  return rejectInPlace<ContactRejection>(args, (form, failure) => ({
    typed: readTypedContact(form),
    errors: {},
    notice: failureTexts[failure],
    formToken: fieldText(form, "formToken"),
  }));
}

const failureTexts: Record<ActionFailure, string> = {
  offline: messages.offline,
  "signed-out": messages.signedOut,
  "too-large": messages.tooLarge,
  failed: inPersonFailures.outcomeUnknown,
};
