import { redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { readForm } from "#app/services/http/form-body.ts";

import type { Route } from "./+types/pause-route.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { respondWithListChange, changeCardList } from "./list-response.server.ts";
import { pauseCard } from "./list-data.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import { findOldest, isBeyondPlan } from "#app/features/cards/rules.ts";
import type { CardListItem } from "#app/features/cards/rules.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Pauses a card; `pause=off` unpauses it. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const isPaused = form.get("pause") !== "off";
  const changed = await changeCardList(context, listChangeMessages.pauseFailed, async ({ id: ownerId }, all) => {
    const card = await pauseCard(all, { ownerId, id: params.id, isPaused });
    if (!card) return undefined;
    const plan = await findPlan(all, ownerId);
    const oldest = findOldest(await listCards(all.db, ownerId));
    return { ...card, isBeyondPlan: isBeyondPlan(plan, { isOldest: card.id === oldest?.id }) };
  });
  if ("toast" in changed) return respondWithListChange(form, changed.toast);
  return respondWithListChange(form, { ...messageFor(changed.result), tone: "success" });
}

/** What visitors see now: the card may have been private before it was paused. */
function messageFor({
  isPaused,
  isPublic,
  isBeyondPlan,
}: Pick<CardListItem, "isPaused" | "isPublic" | "isBeyondPlan">) {
  if (isPaused) return listChangeMessages.paused;
  if (!isPublic) return listChangeMessages.stillPrivate;
  return isBeyondPlan ? listChangeMessages.stillBeyondPlan : listChangeMessages.shownAgain;
}
