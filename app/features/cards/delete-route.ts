import { redirect } from "react-router";

import { requestFacts, services, viewer } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/delete-route.ts";
import { deleteCard } from "./data.server.ts";
import { messages } from "./messages.ts";

/** Nothing to read here: whoever comes by a link goes to the list of their cards. */
export function loader() {
  return redirect("/profile");
}

export async function action({ params, context }: Route.ActionArgs) {
  const owner = viewer(context);
  if (!owner) throw new Response(null, { status: 401 });
  if (!(await isDeleted(context, { ownerId: owner.id, id: params.id }))) {
    return redirectWithToast("/profile", { title: messages.deleteFailed, tone: "error" });
  }
  services(context).bus.publish({ kind: "owner-changed", ownerId: owner.id });
  return redirectWithToast("/profile", { title: messages.deleted, tone: "success" });
}

/** False as well when the database could not: a crash page would not say that the card is still there. */
async function isDeleted(
  context: Route.ActionArgs["context"],
  card: { ownerId: string; id: string },
): Promise<boolean> {
  const { db, log } = services(context);
  try {
    return await deleteCard(db, card);
  } catch (error) {
    log.error({ err: error, id: context.get(requestFacts).id }, "card not deleted");
    return false;
  }
}
