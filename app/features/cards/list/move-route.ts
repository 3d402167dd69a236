import { redirect } from "react-router";

import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import type { CardMove } from "./order-rules.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";

import type { Route } from "./+types/move-route.ts";
import { moveCard } from "./list-data.server.ts";
import { changeCardList } from "./list-response.server.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Moves a card up, down, or to a position. */
export async function action(args: Route.ActionArgs) {
  return changeCardList(args, listChangeMessages.moveFailed, async ({ all, ownerId, params: { id }, form }) => {
    const to = readPosition(form);
    const isMoved = to !== undefined && (await moveCard(all, { ownerId, id, to }));
    return isMoved ? { title: listChangeMessages.moved, tone: "success" } : undefined;
  });
}

/** Undefined for a value that our forms never send. */
function readPosition(form: FormFields): CardMove["to"] | undefined {
  const to = form.get("to");
  if (to === "up" || to === "down") return to;
  return typeof to === "string" && /^\d{1,6}$/.test(to) ? Number(to) : undefined;
}
