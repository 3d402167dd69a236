import { redirect } from "react-router";

import type { Route } from "./+types/delete-route.ts";
import { deleteCard } from "#app/features/cards/data.server.ts";
import { changeCardList } from "./list-response.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

export async function action(args: Route.ActionArgs) {
  return changeCardList(args, listChangeMessages.deleteFailed, async ({ all, ownerId, params: { id } }) => {
    const isDeleted = await deleteCard(all, { ownerId, id });
    return isDeleted ? { title: listChangeMessages.deleted, tone: "success" } : undefined;
  });
}
