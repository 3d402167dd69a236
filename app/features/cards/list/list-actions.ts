import { useRef, useState } from "react";
import { useRevalidator } from "react-router";

import { listMessages } from "#app/features/cards/list-messages.ts";
import type { CardListItem } from "#app/features/cards/rules.ts";

import { moveInOrder } from "./order-rules.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { parseJsonObject, submitInPlace } from "#app/ui/forms/submit-in-place.ts";

/** Sends the forms of a card list without leaving the page, then reloads the page's data. */
export function useListActions() {
  const { revalidate } = useRevalidator();
  const list = useRef<HTMLDivElement>(null);
  const [toast, setToast] = useState<ListChangeResult>();
  const [isBusy, setBusy] = useState(false);

  const send = async (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy) return;
    setBusy(true);
    const result = await requestListChange(new URL(form.action).pathname, formFields(form));
    if (result.tone !== "error") await revalidate();
    setToast(result);
    setBusy(false);
    // The focused element may have disappeared with its row.
    if (document.activeElement === document.body) list.current?.focus();
  };
  return { list, send, notify: setToast, toast, isBusy };
}

export type ListActions = Pick<ReturnType<typeof useListActions>, "send" | "isBusy">;

function formFields(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  return fields;
}

/** The result of a change to the list of cards, as a toast. */
export type ListChangeResult = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

/** Sends a change of the list to the server. The page and everything typed on it stay as they are. */
export async function requestListChange(path: string, fields: URLSearchParams): Promise<ListChangeResult> {
  fields.set("here", "on");
  const { status, text } = await submitInPlace(path, fields);
  if (status === 0) return failedChange(listMessages.listOffline);
  if (status === 401) return failedChange(listMessages.listSignedOut);
  const result = parseJsonObject(text);
  return isListChangeResult(result) ? result : failedChange(listMessages.tryAgain);
}

/** The page to return to without script: the one that sent the form. */
export function readReturnPath(form: FormFields): string {
  const path = form.get("back");
  return typeof path === "string" && /^\/(cards|u\/[\w-]{1,64})$/.test(path) ? path : "/profile";
}

function failedChange(text: string): ListChangeResult {
  return { title: listMessages.listFailed, text, tone: "error" };
}

function isListChangeResult(result: object | undefined): result is ListChangeResult {
  return result !== undefined && "title" in result && "tone" in result;
}

/**
 * The cards in the order that their owner chooses here, which is saved at once. `announcement` is the last move for screen
 * readers. When a move fails, `notify` reports it and the order becomes the server's again.
 */
export function useCardOrder(cards: readonly CardListItem[], notify: (result: ListChangeResult) => void) {
  const { revalidate } = useRevalidator();
  const pending = useRef<{ id: string; to: number }[]>([]);
  const [{ ids, announcement }, setState] = useState<{ ids: string[] | undefined; announcement: string }>({
    ids: undefined,
    announcement: "",
  });
  const ordered = sortByIds(cards, ids);

  /** Sends one move at a time: concurrent requests could arrive in the wrong order. */
  const save = async () => {
    for (let next = pending.current[0]; next; next = pending.current[0]) {
      const result = await requestListChange(`/cards/${next.id}/move`, new URLSearchParams({ to: String(next.to) }));
      if (result.tone === "error") {
        pending.current = [];
        setState({ ids: undefined, announcement: "" });
        return notify(result);
      }
      pending.current = pending.current.slice(1);
    }
    await revalidate();
  };
  const move = (card: CardListItem, to: number) => {
    const moved = moveInOrder(
      ordered.map(({ id }) => id),
      { id: card.id, to },
    );
    if (!moved || to < 0 || to >= cards.length) return;
    setState({ ids: moved, announcement: listMessages.movedTo(card.cardName, to + 1, cards.length) });
    pending.current = [...pending.current, { id: card.id, to }];
    if (pending.current.length === 1) void save();
  };
  return { ordered, move, announcement };
}

/** Cards created in the meantime come first, as new cards do. */
function sortByIds(cards: readonly CardListItem[], ids: readonly string[] | undefined): CardListItem[] {
  if (!ids) return [...cards];
  const known = ids.flatMap((id) => cards.find((card) => card.id === id) ?? []);
  return [...cards.filter(({ id }) => !ids.includes(id)), ...known];
}
