import { redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";

import type { Route } from "./+types/pause-route.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { changeCardList } from "./list-response.server.ts";
import { pauseCard } from "./list-data.server.ts";
import { beyondPlanText } from "#app/features/cards/limit-messages.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import { idsBeyondPlan } from "#app/features/cards/rules.ts";
import type { CardListItem } from "#app/features/cards/rules.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Pauses a card; `pause=off` unpauses it. */
export async function action(args: Route.ActionArgs) {
  return changeCardList(args, listChangeMessages.pauseFailed, async ({ all, ownerId, params: { id }, text }) => {
    const card = await pauseCard(all, { ownerId, id, isPaused: text("pause") !== "off" });
    if (!card) return undefined;
    const plan = await findPlan(all, ownerId);
    const beyond = idsBeyondPlan(plan, await listCards(all.db, ownerId));
    const message = messageFor({ ...card, isBeyondPlan: beyond.has(id) }, plan);
    return { ...message, tone: "success" };
  });
}

/** What visitors see now: the card may have been private before it was paused. */
function messageFor(
  { isPaused, isPublic, isBeyondPlan }: Pick<CardListItem, "isPaused" | "isPublic" | "isBeyondPlan">,
  plan: Plan,
) {
  if (isPaused) return listChangeMessages.paused;
  if (!isPublic) return listChangeMessages.stillPrivate;
  return isBeyondPlan
    ? { ...listChangeMessages.shownAgain, text: beyondPlanText(plan) }
    : listChangeMessages.shownAgain;
}
