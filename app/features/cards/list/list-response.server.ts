import type { RouterContextProvider } from "react-router";

import type { Plan } from "#app/features/billing/rules.ts";
import { cardLimitMessage } from "#app/features/cards/limit-messages.ts";
import { listChangeMessages, listMessages } from "#app/features/cards/list-messages.ts";
import { dialogMessages } from "#app/features/cards/dialog/details-form.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { ActionArgs, SentForm } from "#app/services/forms/form-action.server.ts";
import { services } from "#app/services/http/context.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";

import { readReturnPath } from "./list-actions.ts";
import type { ListChangeResult } from "./list-actions.ts";

/**
 * Changes the owner's list of cards, and shows a toast. `change` returns the toast or another response; undefined when the owner has no such
 * card. Responds to the page's script (`here`) with JSON; without script, redirects to the page. Throws a 401 for visitors.
 */
export async function changeCardList<Params>(
  args: ActionArgs<Params>,
  failureTitle: string,
  change: (sent: SentForm<Params>) => Promise<ToastMessage | Response | undefined>,
): Promise<Response> {
  const sent = await readSentForm(args);
  const failed = (text: string): ToastMessage => ({ title: failureTitle, text, tone: "error" });
  // The error page wouldn't say that all the cards are still there.
  const changed = await tryWrite(sent.all.log, () => change(sent), {
    event: "list of cards not changed",
    diskFull: dialogMessages.detailsDiskFull,
    outcomeUnknown: listChangeMessages.listOutcomeUnknown,
    unexpected: listMessages.tryAgain,
    refuse: failed,
  });
  if (changed instanceof Response) return changed;
  const toast = changed ?? failed(listChangeMessages.cardGone);
  if (sent.form.has("here"))
    return Response.json(toast satisfies ListChangeResult, { status: toast.tone === "error" ? 422 : 200 });
  return redirectWithToast(readReturnPath(sent.form), toast);
}

/** For an owner whose plan has no room for another card: to the plans, or to their cards while none can be bought. */
export function redirectAtCardLimit(context: Readonly<RouterContextProvider>, plan: Plan) {
  const isSold = services(context).config.premium === "sold";
  const toast = { ...cardLimitMessage(plan, isSold), tone: "info" } as const;
  // Pages without script are separate documents: the router can't render them into this one.
  const headers = new Headers({ "X-Remix-Reload-Document": "true" });
  return redirectWithToast(isSold ? "/pricing" : "/profile", toast, headers);
}
