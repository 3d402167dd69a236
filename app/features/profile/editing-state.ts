import { useEffect, useReducer, useRef, useState } from "react";

import { isSameDraft, readDraft } from "./draft.ts";
import { edit, startEditing } from "./editing.ts";
import type { SaveAnswer, Stored } from "./editing.ts";

/** The state of the editor's form: starts with what the page came with, and hears every answer to a save once. */
export function useEditing(stored: Stored, answer: SaveAnswer | undefined) {
  const [editing, dispatch] = useReducer(edit, undefined, () => startEditing(stored, answer));
  const [heard, setHeard] = useState(answer);
  if (answer !== heard) {
    setHeard(answer);
    if (answer) dispatch({ kind: "answer", answer });
  }
  const form = useRef<HTMLFormElement>(null);
  const start = useRef(editing.draft);

  // What was typed before our script came is in the fields alone: React takes them for what it rendered.
  useEffect(() => {
    if (!form.current) return;
    const { typed } = readDraft(new FormData(form.current));
    if (!isSameDraft(typed, start.current)) dispatch({ kind: "typed-early", draft: typed });
  }, []);

  // A save that was refused stays on this page: the focus goes to the first thing to mend, or the eye to the reason above.
  useEffect(() => {
    if (!answer) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (first) first.focus();
    else window.scrollTo({ top: 0 });
  }, [answer]);

  return { editing, dispatch, form };
}
