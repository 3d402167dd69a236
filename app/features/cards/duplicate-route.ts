import { redirect } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { readForm } from "#app/services/form-body.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/duplicate-route.ts";
import { readFormId } from "./form.ts";
import { answerList, changeList } from "./list-answer.server.ts";
import { duplicateCard } from "./list-changes.server.ts";
import { messages } from "./messages.ts";
import { sendToPricing } from "./saving.server.ts";

/** Nothing to read here: whoever comes by a link goes to the list of their cards. */
export function loader() {
  return redirect("/profile");
}

/** Makes a copy of a card and leads to its editor. The same form makes one copy, however often it is sent. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const changed = await changeList(context, messages.copyFailed, async ({ id: ownerId }, { db, clock }) => {
    const now = clock();
    const plan = await findPlan(db, ownerId, now);
    return duplicateCard(db, { ownerId, plan, id: params.id, formId: readFormId(form), now });
  });
  if ("toast" in changed) return answerList(form, changed.toast);
  const { done } = changed;
  if (done.kind === "limit") return sendToPricing();
  const id = done.kind === "exists" ? done.current.id : done.id;
  const words = done.hadLogo ? messages.copiedWithoutLogo : messages.copied;
  return redirectWithToast(`/cards/edit/${id}`, { ...words, tone: "success" });
}
