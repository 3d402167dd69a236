import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

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

/**
 * Starts the page again when a saved form is followed by the next: its `formKey` changes, and the page is at its top, with the focus on the
 * `heading`. A rejected form stays where it is.
 */
export function useNextForm(isRejected: boolean) {
  const { key } = useLocation();
  const [formKey, setFormKey] = useState(key);
  if (key !== formKey && !isRejected) setFormKey(key);
  const heading = useRef<HTMLHeadingElement>(null);
  const shownKey = useRef(formKey);
  // The form was sent from its end, and the page scrolls by itself only for another address.
  useEffect(() => {
    if (shownKey.current === formKey) return;
    shownKey.current = formKey;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [formKey]);
  return { formKey, heading };
}
