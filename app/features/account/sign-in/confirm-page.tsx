import { data, redirect } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { localPath, signedInPath } from "#app/features/account/return-to.ts";
import type { ConfirmCheck } from "#app/services/auth/emails/sign-ups.server.ts";
import type { Viewer } from "#app/services/auth/sessions/sessions.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/confirm-page.ts";
import { AuthCard } from "./auth-card.tsx";
import { cookieHeaders, reportFailure } from "./auth-response.server.ts";

/** Opening the link changes nothing, because email scanners open links too: the button does. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const token = readToken(url);
  const user = viewer(context);
  const checked = await services(context).auth.checkConfirmation({ token, viewer: user });
  if (checked.kind !== "ready") throw respondToRefusal(checked, { token, user });
  const signedInAs = user && user.id !== checked.userId ? user.email : undefined;
  return { email: checked.email, isSignUp: checked.isSignUp, isSignedIn: user !== undefined, signedInAs };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const token = readToken(url);
  const user = viewer(context);
  const all = services(context);
  const { id, address } = context.get(requestContext);
  try {
    const result = await all.auth.confirm({ token, viewer: user, headers: request.headers, address });
    switch (result.kind) {
      case "signed-in": {
        const account = await all.auth.findUserId(all.auth.readPendingAddress(token) ?? "");
        logSecurityEvent(all.log, { event: "signed-in", id, account });
        return redirectWithToast(
          pathAfterSignUp(result.returnTo),
          { ...messages.confirmed, tone: "success" },
          cookieHeaders(result.cookies),
        );
      }
      case "confirmed": {
        if (!user) return redirectWithToast("/auth", { ...messages.confirmedOnly, tone: "success" });
        const message = user?.email === result.email ? messages.confirmedOwn : messages.confirmedOther;
        return redirectWithToast(signedInPath, { ...message, tone: "success" });
      }
      default:
        return respondToRefusal(result, { token, user });
    }
  } catch (error) {
    const { notice, status } = reportFailure({ services: all, id }, error);
    return data({ failure: notice }, status);
  }
}

/** A new user starts with their card, unless they signed up on the way to another page. */
function pathAfterSignUp(returnTo = ""): string {
  const path = localPath(returnTo);
  return path === undefined || path === signedInPath ? "/start" : path;
}

/** Leads to where the user can do something about a link that doesn't work. */
function respondToRefusal(
  { kind }: Exclude<ConfirmCheck, { kind: "ready" }>,
  { token, user }: { token: string; user: Viewer | undefined },
): Response {
  switch (kind) {
    case "sign-in-first":
      return redirectWithToast(user ? "/account" : "/auth?returnTo=/account", {
        ...messages.signInFirst,
        tone: "info",
      });
    case "used":
      if (user) return redirect(signedInPath);
      return redirectWithToast("/auth", { ...messages.confirmedBefore, tone: "info" });
    case "expired":
    case "unknown":
      if (user && !user.isConfirmed) return redirectWithToast("/account", { ...messages.expiredLink, tone: "info" });
      if (user) return redirectWithToast(signedInPath, { ...messages.linkExpiredSignedIn, tone: "info" });
      return redirect(`/auth?${new URLSearchParams({ link: token })}`);
  }
}

export default function ConfirmPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isSignedIn } = loaderData;
  const failure = actionData?.failure;
  return (
    <AuthCard title="Confirm your email" heading="Confirm your email" hasErrors={failure !== undefined}>
      {failure && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      <p className="grid gap-1">
        <span className="text-sm text-muted">Is this your email address?</span>
        <strong className="text-lg font-semibold wrap-anywhere">{email}</strong>
      </p>
      <form method="post" name="confirm" className="grid gap-3">
        <Button variant="main" type="submit" data-busy="Confirming...">
          {isSignedIn ? "Confirm email" : "Confirm and sign in"}
        </Button>
        <p className="text-sm text-muted wrap-anywhere">{explain(loaderData)}</p>
      </form>
    </AuthCard>
  );
}

type Explained = Pick<Route.ComponentProps["loaderData"], "isSignUp" | "isSignedIn" | "signedInAs">;

function explain({ isSignUp, isSignedIn, signedInAs }: Explained): string {
  const sentences = [
    isSignedIn && signedInAs === undefined && "It belongs to the account you're signed in to.",
    signedInAs !== undefined && `You'll stay signed in as ${signedInAs}.`,
    isSignUp && "Didn't sign up? Just close this page.",
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}
