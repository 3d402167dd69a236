import { redirect } from "react-router";

import { findOwnCard } from "#app/features/cards/data.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import { chooseContactCard } from "#app/features/profile/card-data.server.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";

import type { Route } from "./+types/main-route.ts";
import { changeCardList } from "./list-response.server.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Shows a card to visitors of the profile; `main=off` shows them none. */
export async function action(args: Route.ActionArgs) {
  return changeCardList(args, listChangeMessages.mainFailed, async ({ all, ownerId, params: { id }, text }) => {
    const isShown = text("main") !== "off";
    const isOwn = await transact(all.db, async (trx) => {
      await lockOwner(trx, ownerId);
      if (!(await findOwnCard(trx, { ownerId, id }))) return false;
      await chooseContactCard(trx, all.events, { ownerId, cardId: isShown ? id : noContactCard });
      return true;
    });
    if (!isOwn) return undefined;
    return { ...(isShown ? listChangeMessages.main : listChangeMessages.mainHidden), tone: "success" };
  });
}
