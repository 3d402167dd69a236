import { redirect } from "react-router";

import { services, viewer } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/confirm-route.ts";
import { cookieHeaders } from "./auth-answers.server.ts";
import { messages } from "./messages.ts";

/**
 * The link in the confirmation mail. Programs that look at mails open links too, before the person does: the second one to
 * come is told that the address is confirmed and logs in with the password they chose. A session is given once.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (isOnlyLooking(request)) return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  const token = url.searchParams.get("token") ?? "";
  const person = viewer(context);
  const result = await services(context).auth.confirm({ token, viewer: person });
  switch (result.kind) {
    case "signed-in":
      return redirectWithToast("/profile", { ...messages.confirmed, tone: "success" }, cookieHeaders(result.cookies));
    case "confirmed":
      if (person?.email === result.email)
        return redirectWithToast("/account", { ...messages.confirmedOwn, tone: "success" });
      return redirectWithToast("/profile", { ...messages.confirmedOther, tone: "success" });
    case "sign-in-first":
      return redirectWithToast(person ? "/account" : "/auth?returnTo=/account", {
        ...messages.signInFirst,
        tone: "info",
      });
    case "used":
      if (person) return redirect("/profile");
      return redirectWithToast("/auth", { ...messages.confirmedBefore, tone: "info" });
    case "expired":
    case "unknown":
      if (person && !person.isConfirmed) return redirectWithToast("/account", { ...messages.lateLink, tone: "info" });
      if (person) return redirectWithToast("/profile", { ...messages.linkOver, tone: "info" });
      return redirect(`/auth?${new URLSearchParams({ link: token })}`);
  }
}

/** A browser that fetches ahead, or a program that only asks whether the address answers. */
function isOnlyLooking({ method, headers }: Request): boolean {
  return method === "HEAD" || /prefetch|preview/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "");
}
