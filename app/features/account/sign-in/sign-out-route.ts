import { redirect } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { readReturnTo } from "#app/services/auth/return-to.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { clearDraftCard } from "#app/features/start/draft-card.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { clearStorage } from "#app/services/http/cookies.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/sign-out-route.ts";
import { cookieHeaders } from "./auth-response.server.ts";

/** Ends the session, and leads to `returnTo` or the sign-in page. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const user = viewer(context);
  const logoutUrl = user && (await findLogoutUrl(all, user.id));
  const { cookies } = await all.auth.signOut(request.headers);
  const headers = cookieHeaders(cookies);
  headers.append("set-cookie", clearDraftCard(all));
  // Removes the offline page of this device (sharing/offline) together with the session.
  clearStorage(headers, request);
  if (logoutUrl !== undefined)
    return respondWithForwarding(logoutUrl, { name: all.auth.providers.find("sso")?.name ?? "", headers });
  const returnTo = readReturnTo(url.searchParams);
  if (returnTo !== undefined) return redirect(returnTo, { headers });
  return redirectWithToast("/auth", { title: messages.signedOut, tone: "success" }, headers);
}

/** Single sign-on: signing out here signs out there too. Without its provider, the session here ends all the same. */
async function findLogoutUrl({ auth, log }: Services, userId: string): Promise<string | undefined> {
  try {
    return await auth.findLogoutUrl(userId);
  } catch (error) {
    log.warn({ err: error }, "the provider of single sign-on can’t be reached; the user is signed out here only");
    return undefined;
  }
}

/**
 * A GET doesn't sign out: an image on another site could request it. The tabs of a browser that was signed out in another tab come here for
 * the message.
 */
export function loader({ context }: Route.LoaderArgs) {
  if (viewer(context)) return redirect("/");
  return redirectWithToast("/auth", { ...messages.signedOutElsewhere, tone: "info" });
}
