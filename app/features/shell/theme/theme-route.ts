import { redirect } from "react-router";

import { localPath } from "#app/services/auth/return-to.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { isTheme, themeCookie } from "#app/services/http/cookies.ts";

import type { Route } from "./+types/theme-route.ts";

/** `POST /theme` with `theme` and `returnTo`: chooses the theme without JavaScript. The script of pages without React stays on its page. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request);
  const theme = form.get("theme");
  if (!isTheme(theme))
    return new Response(unknownThemeText, { status: 400, headers: { "content-type": "text/plain" } });
  const isSecure = services(context).config.baseUrl.startsWith("https:");
  const headers = { "set-cookie": themeCookie(theme, isSecure), "cache-control": "no-store" };
  if (request.headers.has("meishi-in-place")) return new Response(null, { status: 204, headers });
  return redirect(readReturnPath(form, request), { status: 303, headers });
}

const unknownThemeText = "Unknown theme. Go back and choose dark, light or system.";

/** A GET changes nothing. */
export function loader() {
  return redirect("/");
}

/**
 * The page with the form. Its query is not in the form, because cached pages have no query, but in the referrer, which browsers send for forms
 * of our own pages (referrer-policy: same-origin).
 */
function readReturnPath(form: FormFields, request: Request): string {
  const returnTo = form.get("returnTo");
  const path = pageOrHome(typeof returnTo === "string" ? localPath(returnTo) : undefined);
  const from = URL.parse(request.headers.get("referer") ?? "");
  return from && from.pathname === path ? path + from.search : path;
}

function pageOrHome(path: string | undefined): string {
  return path === undefined || actionPaths.test(path) ? "/" : path;
}

/** URLs that perform an action and show no page. */
const actionPaths = /^\/auth\/(?!demo$)/;
