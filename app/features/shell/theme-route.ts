import { redirect } from "react-router";

import { ownPath } from "#app/features/account/return-to.ts";
import { readForm } from "#app/services/form-body.ts";
import { isTheme, themeCookie } from "#app/services/theme-cookie.ts";

import type { Route } from "./+types/theme-route.ts";

/** `POST /theme` with `theme` and `returnTo`: how the theme is chosen where no script runs. */
export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const theme = form.get("theme");
  if (!isTheme(theme)) return new Response(unknown, { status: 400, headers: { "content-type": "text/plain" } });
  const headers = { "set-cookie": themeCookie(theme), "cache-control": "no-store" };
  return redirect(placeOf(form, request), { status: 303, headers });
}

const unknown = "There is no such theme. Go back and choose dark, light or system.";

/** Opening the address chooses nothing. */
export function loader() {
  return redirect("/");
}

/**
 * The page where it was chosen. What it was asked with is not in the form, which is the same for everybody, but browsers say it
 * with a form of our own page (referrer-policy: same-origin).
 */
function placeOf(form: FormData, request: Request): string {
  const typed = form.get("returnTo");
  const path = placeFor(typeof typed === "string" ? ownPath(typed) : undefined);
  const from = URL.parse(request.headers.get("referer") ?? "");
  return from && from.pathname === path ? path + from.search : path;
}

function placeFor(path: string | undefined): string {
  return path === undefined || acts.test(path) ? "/" : path;
}

/** Addresses that do something, and show nothing to come back to. */
const acts = /^\/auth\/(?!demo$)/;
