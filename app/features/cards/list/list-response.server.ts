import type { RouterContextProvider } from "react-router";

import { listChangeMessages, listMessages } from "#app/features/cards/list-messages.ts";
import { messages } from "#app/features/cards/messages.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { services, requireUser } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import type { ToastMessage } from "#app/services/http/toast.server.ts";

import { readReturnPath } from "./list-actions.ts";
import type { ListChangeResult } from "./list-actions.ts";

type ListChange<Result> = (owner: Viewer, services: Services) => Promise<Result | undefined>;

/**
 * Changes the owner's list of cards. Returns a toast when the change fails; `change` returns undefined
 * when the owner has no such card. Throws a 401 for visitors.
 */
export async function changeCardList<Result>(
  context: Readonly<RouterContextProvider>,
  failureTitle: string,
  change: ListChange<Result>,
): Promise<{ result: Result } | { toast: ToastMessage }> {
  const owner = requireUser(context);
  const deps = services(context);
  const failed = (text: string) => ({ toast: { title: failureTitle, text, tone: "error" } as const });
  const changeList = async () => {
    const result = await change(owner, deps);
    return result === undefined ? failed(listChangeMessages.cardGone) : { result };
  };
  // The error page wouldn't say that all the cards are still there.
  return tryWrite(deps.log, changeList, {
    event: "list of cards not changed",
    diskFull: messages.detailsDiskFull,
    outcomeUnknown: listChangeMessages.listOutcomeUnknown,
    unexpected: listMessages.tryAgain,
    refuse: failed,
  });
}

/** Responds to the page's script (`here`) with JSON; without script, redirects to the page, which shows the toast. */
export function respondWithListChange(form: FormFields, toast: ToastMessage): Response {
  if (form.has("here"))
    return Response.json(toast satisfies ListChangeResult, { status: toast.tone === "error" ? 422 : 200 });
  return redirectWithToast(readReturnPath(form), toast);
}
