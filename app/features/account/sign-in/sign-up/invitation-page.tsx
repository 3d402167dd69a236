import { data, redirect } from "react-router";

import { messages, tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { authPath } from "#app/services/auth/return-to.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/invitation-page.ts";
import { acceptedInvitation, openInvitation } from "./sign-up-data.server.ts";

/** Opening the link changes nothing, because email scanners open links too: the button does. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const email = await services(context).auth.findInvitation(readToken(url));
  return { email, signedInAs: viewer(context)?.email };
}

type AcceptProblem = { title: string; text?: string };

/** Stores the invitation in this browser, and leads to the sign-up with its address. */
export async function action({ context, url }: Route.ActionArgs) {
  const all = services(context);
  const token = readToken(url);
  try {
    if (viewer(context)) return redirect(url.pathname + url.search);
    const opened = await openInvitation(all, { token, address: context.get(requestContext).address });
    if (opened.kind === "rate-limited")
      return data<AcceptProblem>(tooManyCallbacksMessage(formatWait(opened.until, all.clock())), 429);
    if (opened.kind === "gone") return data<AcceptProblem>(messages.invitationGone, 410);
    const path = authPath(undefined, { tab: "signup", again: "1" });
    return redirect(path, { status: 303, headers: cookieHeaders([acceptedInvitation(all, token)]) });
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data<AcceptProblem>(notice, status);
  }
}

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, signedInAs } = loaderData;
  if (email === undefined) return <GoneInvitation />;
  return (
    <AuthCard title="You’re invited" heading="You’re invited" hasErrors={actionData !== undefined}>
      {actionData && (
        <Notice tone="error" title={actionData.title}>
          {actionData.text}
        </Notice>
      )}
      <p className="grid gap-1">
        <span className="text-sm text-muted">The invitation is for</span>
        <strong className="text-lg font-semibold wrap-anywhere">{email}</strong>
      </p>
      {signedInAs === undefined ? (
        <form method="post" name="invitation" className="grid gap-3">
          <Button variant="main" type="submit" data-busy="Opening...">
            Accept and sign up
          </Button>
          <p className="text-sm text-muted">You choose a password next.</p>
        </form>
      ) : (
        <p className="wrap-anywhere">{`You’re signed in as ${signedInAs}. Sign out first, then open the link again.`}</p>
      )}
    </AuthCard>
  );
}

function GoneInvitation() {
  const { title, text } = messages.invitationGone;
  return (
    <AuthCard title="Invitation" heading="Invitation" hasErrors>
      <Notice tone="warning" title={title}>
        {text}
      </Notice>
      <ButtonLink variant="main" href="/auth">
        Sign in
      </ButtonLink>
    </AuthCard>
  );
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}
