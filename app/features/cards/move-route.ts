import { redirect } from "react-router";

import { readForm } from "#app/services/form-body.ts";

import type { Route } from "./+types/move-route.ts";
import { answerList, changeList } from "./list-answer.server.ts";
import { moveCard } from "./list-changes.server.ts";
import { messages } from "./messages.ts";
import type { Move } from "./card-moves.ts";

/** Nothing to read here: whoever comes by a link goes to the list of their cards. */
export function loader() {
  return redirect("/profile");
}

/** Moves a card up, down or to a place. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const to = readPlace(form);
  const changed = await changeList(context, messages.moveFailed, async ({ id: ownerId }, { db }) => {
    if (to === undefined) return undefined;
    return (await moveCard(db, { ownerId, id: params.id, to })) || undefined;
  });
  return answerList(form, "toast" in changed ? changed.toast : { title: messages.moved, tone: "success" });
}

/** Undefined where no form of ours could say it. */
function readPlace(form: FormData): Move["to"] | undefined {
  const to = form.get("to");
  if (to === "up" || to === "down") return to;
  return typeof to === "string" && /^\d{1,6}$/.test(to) ? Number(to) : undefined;
}
