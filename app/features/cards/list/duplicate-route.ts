import { redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/duplicate-route.ts";
import { readFormId } from "#app/features/cards/schema.ts";
import { changeCardList, redirectAtCardLimit } from "./list-response.server.ts";
import { duplicateCard } from "./list-data.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Copies a card and redirects to the copy's editor. The same form creates one copy, however often it is sent. */
export async function action(args: Route.ActionArgs) {
  return changeCardList(
    args,
    listChangeMessages.copyFailed,
    async ({ all, ownerId, params: { id }, form, context }) => {
      const now = all.clock();
      const plan = await findPlan(all, ownerId);
      const result = await duplicateCard(all, { ownerId, plan, id, formId: readFormId(form), now });
      if (!result) return undefined;
      if (result.kind === "limit") return redirectAtCardLimit(context, plan);
      if (result.kind === "rate-limited") {
        const text = listChangeMessages.tooManyNew(formatWait(result.until, all.clock()));
        return { title: listChangeMessages.copyFailed, text, tone: "error" };
      }
      const copyId = result.kind === "exists" ? result.current.id : result.id;
      const toast = result.hadLogo ? listChangeMessages.copiedWithoutLogo : listChangeMessages.copied;
      return redirectWithToast(`/cards/edit/${copyId}`, { ...toast, tone: "success" });
    },
  );
}
