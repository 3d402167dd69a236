import { redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { readForm } from "#app/services/form-body.ts";

import type { Route } from "./+types/pause-route.ts";
import { listCards } from "./data.server.ts";
import { answerList, changeList } from "./list-answer.server.ts";
import { pauseCard } from "./list-changes.server.ts";
import { messages } from "./messages.ts";
import { listedCards } from "./rules.ts";
import type { ListedCard } from "./rules.ts";

/** Nothing to read here: whoever comes by a link goes to the list of their cards. */
export function loader() {
  return redirect("/profile");
}

/** Pauses a card, or shows it again where the form says `pause=off`. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const isPaused = form.get("pause") !== "off";
  const changed = await changeList(context, messages.pauseFailed, async ({ id: ownerId }, { db, clock }) => {
    const card = await pauseCard(db, { ownerId, id: params.id, isPaused });
    if (!card) return undefined;
    const { cards } = listedCards(await findPlan(db, ownerId, clock()), await listCards(db, ownerId));
    return cards.find(({ id }) => id === card.id);
  });
  if ("toast" in changed) return answerList(form, changed.toast);
  return answerList(form, { ...wordsFor(changed.done), tone: "success" });
}

/** What visitors see of it now: it may have been private before it was paused. */
function wordsFor({ isPaused, isPublic, isBeyondPlan }: ListedCard) {
  if (isPaused) return messages.paused;
  if (!isPublic) return messages.stillPrivate;
  return isBeyondPlan ? messages.stillBeyondPlan : messages.shownAgain;
}
