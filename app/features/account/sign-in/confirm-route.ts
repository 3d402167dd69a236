import { redirect } from "react-router";

import { requestId, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/confirm-route.ts";
import { cookieHeaders } from "./auth-response.server.ts";
import { messages } from "#app/features/account/messages.ts";

/**
 * The link in the confirmation mail. Mail scanners open links too, before the user does: only the first request gets a session, and later ones
 * are told to log in with the password of the sign-up.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  if (isPrefetch(request)) return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  const token = url.searchParams.get("token") ?? "";
  const user = viewer(context);
  const { auth, log } = services(context);
  const result = await auth.confirm({ token, viewer: user });
  switch (result.kind) {
    case "signed-in": {
      const account = await auth.findUserId(auth.readPendingAddress(token) ?? "");
      logSecurityEvent(log, { event: "signed-in", id: requestId(context), account });
      return redirectWithToast("/profile", { ...messages.confirmed, tone: "success" }, cookieHeaders(result.cookies));
    }
    case "confirmed":
      if (user?.email === result.email)
        return redirectWithToast("/profile", { ...messages.confirmedOwn, tone: "success" });
      return redirectWithToast("/profile", { ...messages.confirmedOther, tone: "success" });
    case "sign-in-first":
      return redirectWithToast(user ? "/account" : "/auth?returnTo=/account", {
        ...messages.signInFirst,
        tone: "info",
      });
    case "used":
      if (user) return redirect("/profile");
      return redirectWithToast("/auth", { ...messages.confirmedBefore, tone: "info" });
    case "expired":
    case "unknown":
      if (user && !user.isConfirmed) return redirectWithToast("/account", { ...messages.expiredLink, tone: "info" });
      if (user) return redirectWithToast("/profile", { ...messages.linkExpiredSignedIn, tone: "info" });
      return redirect(`/auth?${new URLSearchParams({ link: token })}`);
  }
}

/** A browser that prefetches, or a program that only checks the URL. */
function isPrefetch({ method, headers }: Request): boolean {
  return method === "HEAD" || /prefetch|preview/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "");
}
