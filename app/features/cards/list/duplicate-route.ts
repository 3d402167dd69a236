import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/duplicate-route.ts";
import { readFormId } from "#app/features/cards/schema.ts";
import { respondWithListChange, changeCardList } from "./list-response.server.ts";
import { duplicateCard } from "./list-data.server.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import { redirectAtCardLimit } from "#app/features/cards/editor/save-card-form.server.ts";

/** A route for forms only: a GET request goes to the list of cards. */
export function loader() {
  return redirect("/profile");
}

/** Copies a card and redirects to the copy's editor. The same form creates one copy, however often it is sent. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const form = await readForm(request);
  const changed = await changeCardList(context, listChangeMessages.copyFailed, async ({ id: ownerId }, all) => {
    const now = all.clock();
    const plan = await findPlan(all, ownerId);
    return duplicateCard(all, { ownerId, plan, id: params.id, formId: readFormId(form), now });
  });
  if ("toast" in changed) return respondWithListChange(form, changed.toast);
  const { result } = changed;
  if (result.kind === "limit") return redirectAtCardLimit(context);
  if (result.kind === "rate-limited") return respondToRateLimit(context, form, result);
  const id = result.kind === "exists" ? result.current.id : result.id;
  const toast = result.hadLogo ? listChangeMessages.copiedWithoutLogo : listChangeMessages.copied;
  return redirectWithToast(`/cards/edit/${id}`, { ...toast, tone: "success" });
}

function respondToRateLimit(
  context: Readonly<RouterContextProvider>,
  form: FormFields,
  { until }: { until: number; limit: string },
): Response {
  const { clock } = services(context);
  const text = listChangeMessages.tooManyNew(formatWait(until, clock()));
  return respondWithListChange(form, { title: listChangeMessages.copyFailed, text, tone: "error" });
}
