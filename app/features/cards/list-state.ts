import { useRef, useState } from "react";
import { useRevalidator } from "react-router";

import { askForChange } from "./list-answer.ts";
import type { ListAnswer } from "./list-answer.ts";

/** Sends the forms of a list of cards without leaving the page, and asks for the page's data anew afterwards. */
export function useListChanges() {
  const { revalidate } = useRevalidator();
  const list = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<ListAnswer>();
  const [isBusy, setBusy] = useState(false);

  const send = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setBusy(true);
    const answer = await askForChange(new URL(form.action).pathname, fieldsOf(form));
    if (answer.tone !== "error") await revalidate();
    setSaid(answer);
    setBusy(false);
    // What had the focus may have gone with its row.
    if (document.activeElement === document.body) list.current?.focus();
  };
  return { list, send, say: setSaid, said, isBusy };
}

export type ListChanges = Pick<ReturnType<typeof useListChanges>, "send" | "isBusy">;

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  return fields;
}
