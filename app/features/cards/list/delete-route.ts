import { redirect } from "react-router";

import { readForm } from "#app/services/http/form-body.ts";

import type { Route } from "./+types/delete-route.ts";
import { deleteCard } from "#app/features/cards/data.server.ts";
import { respondWithListChange, changeCardList } from "./list-response.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const changed = await changeCardList(
    context,
    listChangeMessages.deleteFailed,
    async ({ id: ownerId }, all) => (await deleteCard(all, { ownerId, id: params.id })) || undefined,
  );
  if ("toast" in changed) return respondWithListChange(form, changed.toast);
  return respondWithListChange(form, { title: listChangeMessages.deleted, tone: "success" });
}
