import { data, redirect } from "react-router";

import { authPath, signedInPath } from "#app/services/auth/return-to.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { initialDemoCard } from "#app/features/marketing/landing/demo/demo-card.ts";
import { readInvitationCookie } from "#app/features/account/sign-in/sign-up/sign-up-data.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/keep-route.ts";
import { draftCardCookie } from "./draft-card.server.ts";
import { messages } from "./messages.ts";

/** "Keep this card" under the live demo: stores what was typed and chosen in a cookie, and leads to the sign-up. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, config, sign } = services(context);
  const user = viewer(context);
  // A card that no sign-up follows isn't stored.
  if (!user && config.signUp !== "open" && !readInvitationCookie({ config }, request.headers))
    return redirect(authPath(undefined, { tab: "signup" }), 303);
  const form = await readForm(request);
  if (!form.has("name")) throw data(null, { status: 400 });
  // The steps are for a first card.
  if (user && (await listCards(db, user.id)).length > 0)
    return redirectWithToast(signedInPath, { ...messages.hasCard, tone: "info" });
  // A name that the visitor didn't choose isn't theirs.
  const sample = initialDemoCard();
  const typed = (name: "name" | "title" | "company") => {
    const text = fieldText(form, name);
    return text.trim() === sample[name] ? "" : text;
  };
  const card = { name: typed("name"), title: typed("title"), company: typed("company") };
  const design = { accent: fieldText(form, "accent"), paper: fieldText(form, "mode") };
  const cookie = draftCardCookie({ config, sign }, { ...card, ...design });
  const path = user ? "/start" : authPath(undefined, { tab: "signup" });
  return redirect(path, { status: 303, headers: { "set-cookie": cookie } });
}

export function loader() {
  return redirect("/");
}
