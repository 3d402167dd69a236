import { useState } from "react";

import { useMergedDraft, useVersionedForm } from "#app/ui/forms/versioned-form.tsx";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import type { PassEditorPage } from "./design-data.server.ts";
import { isSamePass, orderLinks, readPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";
import type { PassSaveResult } from "./pass-save.server.ts";

export type PassFormState = ReturnType<typeof usePassForm>;

/** The data of the editor, or why it couldn't be loaded. */
export type LoadedPass = PassEditorPage | { problem: string };

/**
 * The pass that was loaded last, and why it couldn't be loaded since; "" when it could. `sources` are a loader's and a fetcher's data: the
 * one that changed last counts. A draft outlives a lost connection.
 */
export function useLoadedPass(sources: readonly (LoadedPass | undefined)[]) {
  const [seen, setSeen] = useState<typeof sources>([]);
  const [{ pass, problem }, setLatest] = useState<{ pass?: PassEditorPage; problem: string }>({ problem: "" });
  const changed = sources.find((source, index) => source && source !== seen[index]);
  if (!changed) return { pass, problem };
  const latest =
    "problem" in changed ? { ...(pass && { pass }), problem: changed.problem } : { pass: changed, problem: "" };
  setSeen(sources);
  setLatest(latest);
  return { pass: undefined, ...latest };
}

/** The owner's images as far as they are loaded. `reload` after an upload, a deletion, or a failure. */
export type LibraryControl = { hasFailed: boolean; reload: () => void };

/** The draft of a pass's design, in this tab until it is saved. */
export function usePassForm(stored: Versioned<PassFormValues>, received: PassSaveResult | undefined) {
  const [draft, setValues] = useState(received?.sent?.values ?? stored.values);
  // The card's links are no part of the design: they may have changed elsewhere, and a form doesn't have the order of a single one.
  const withLinks = (form: PassFormValues) => ({
    ...form,
    linkOrder: orderLinks(stored.values.linkOrder, form.linkOrder),
  });
  const values = withLinks(draft);
  const rejection = received?.saved ? undefined : received;
  const { base, markSent } = useMergedDraft({ stored, rejection, values, isSame: isSamePass, onMerged: setValues });
  const versioned = useVersionedForm({
    stored,
    base,
    rejection,
    values,
    onTypedEarly: setValues,
    read: (form) => withLinks(readPassForm(form)),
    isSame: isSamePass,
    // A conflict notice or a toast already reports the outcome.
    onNoFieldError: () => undefined,
  });
  const change = (changed: Partial<PassFormValues>) => setValues((current) => ({ ...current, ...changed }));
  return { ...versioned, values, change, markSent };
}
