import type { RouterContextProvider } from "react-router";

import { requestFacts, services, member } from "#app/services/context.ts";
import type { Services, Viewer } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import type { ToastMessage } from "#app/services/toast.server.ts";

import { readBack } from "./list-answer.ts";
import type { ListAnswer } from "./list-answer.ts";
import { messages } from "./messages.ts";

type Change<Done> = (owner: Viewer, services: Services) => Promise<Done | undefined>;

/**
 * Makes a change to the owner's list of cards and tells the bus; a message where it could not be made. `change` says undefined where
 * there is no such own card. Throws a 401.
 */
export async function changeList<Done>(
  context: Readonly<RouterContextProvider>,
  failed: string,
  change: Change<Done>,
): Promise<{ done: Done } | { toast: ToastMessage }> {
  const owner = member(context);
  const all = services(context);
  try {
    const done = await change(owner, all);
    if (done === undefined) return { toast: { title: failed, text: messages.cardGone, tone: "error" } };
    all.bus.publish({ kind: "owner-changed", ownerId: owner.id });
    return { done };
  } catch (error) {
    // Not for the crash page: it would not say that all the cards are still there.
    all.log.error({ err: error, id: context.get(requestFacts).id }, "list of cards not changed");
    const text = isDiskFull(error) ? messages.detailsDiskFull : messages.tryAgain;
    return { toast: { title: failed, text, tone: "error" } };
  }
}

/** What a page with the list hears that asked by script (`here`); else the way back to that page, where the message waits. */
export function answerList(form: FormData, toast: ToastMessage): Response {
  if (form.has("here"))
    return Response.json(toast satisfies ListAnswer, { status: toast.tone === "error" ? 422 : 200 });
  return redirectWithToast(readBack(form), toast);
}
