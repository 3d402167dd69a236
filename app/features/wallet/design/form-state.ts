import { useState } from "react";

import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { useVersionedForm } from "#app/ui/forms/versioned-form.tsx";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { isSamePass, readPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";
import type { PassSaveResult } from "./pass-save.server.ts";

export type PassFormState = ReturnType<typeof usePassForm>;

/** The draft of a pass's design, in this tab until it is saved. */
export function usePassForm(stored: Versioned<PassFormValues>, received: PassSaveResult | undefined) {
  const [values, setValues] = useState(received?.sent?.values ?? stored.values);
  const [opened, setOpened] = useState(stored);
  const [sent, setSent] = useState<PassFormValues>();
  // A save may have been merged with changes from elsewhere: the form continues from what is stored now.
  if (stored.version !== opened.version) {
    setOpened(stored);
    const next = mergeValues({ base: sent ?? opened.values, mine: values, other: stored.values }).values;
    if (!isSamePass(next, values)) setValues(next);
  }
  const versioned = useVersionedForm({
    stored,
    rejection: received?.saved ? undefined : received,
    values,
    onTypedEarly: setValues,
    read: readPassForm,
    isSame: isSamePass,
    // A conflict notice or a toast already reports the outcome.
    onNoFieldError: () => undefined,
  });
  const change = (changed: Partial<PassFormValues>) => setValues((current) => ({ ...current, ...changed }));
  return { ...versioned, values, change, markSent: () => setSent(values) };
}
