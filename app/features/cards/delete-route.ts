import { redirect } from "react-router";

import { readForm } from "#app/services/form-body.ts";

import type { Route } from "./+types/delete-route.ts";
import { deleteCard } from "./data.server.ts";
import { answerList, changeList } from "./list-answer.server.ts";
import { messages } from "./messages.ts";

/** Nothing to read here: whoever comes by a link goes to the list of their cards. */
export function loader() {
  return redirect("/profile");
}

export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const changed = await changeList(
    context,
    messages.deleteFailed,
    async ({ id: ownerId }, all) => (await deleteCard(all, { ownerId, id: params.id })) || undefined,
  );
  if ("toast" in changed) return answerList(form, changed.toast);
  return answerList(form, { title: messages.deleted, tone: "success" });
}
