import { data, redirect } from "react-router";

import { authPath } from "#app/features/account/return-to.ts";
import { initialDemoCard } from "#app/features/marketing/landing/demo/demo-card.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";

import type { Route } from "./+types/keep-route.ts";
import { keptCardCookie } from "./kept-card.server.ts";

/** "Keep this card" under the live demo: stores what was typed and chosen in a cookie, and leads to the sign-up. */
export async function action({ request, context }: Route.ActionArgs) {
  const { config, sign } = services(context);
  const form = await readForm(request);
  if (!form.has("name")) throw data(null, { status: 400 });
  // A name that the visitor didn't choose isn't theirs.
  const sample = initialDemoCard();
  const typed = (name: "name" | "title" | "company") => {
    const text = fieldText(form, name);
    return text.trim() === sample[name] ? "" : text;
  };
  const card = { name: typed("name"), title: typed("title"), company: typed("company") };
  const design = { accent: fieldText(form, "accent"), paper: fieldText(form, "mode") };
  const cookie = keptCardCookie({ config, sign }, { ...card, ...design });
  const path = viewer(context) ? "/start" : authPath(undefined, { tab: "signup" });
  return redirect(path, { status: 303, headers: { "set-cookie": cookie } });
}

export function loader() {
  return redirect("/");
}
