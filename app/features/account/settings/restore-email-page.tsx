import { data } from "react-router";

import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { requestContext, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/restore-email-page.ts";
import { restoredMessage, restoreProblems } from "./settings-messages.ts";

/** Opening the link changes nothing, because mail scanners open links too: the button does. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const checked = await services(context).auth.checkEmailRestore(readToken(url));
  if (checked.kind === "ready") return { email: checked.email, problem: undefined };
  return { email: undefined, problem: restoreProblems[checked.kind] };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const { address } = context.get(requestContext);
  try {
    const result = await all.auth.restoreEmail({ token: readToken(url), headers: request.headers, address });
    if (result.kind !== "restored") return data({ problem: restoreProblems[result.kind], failure: undefined }, 410);
    logSecurityEvent(all.log, { event: "email-changed", account: result.userId });
    const query = new URLSearchParams({ token: result.resetToken, restored: "1" });
    return redirectWithToast(
      `/reset-password?${query}`,
      { ...restoredMessage(result.removed.length), tone: "success" },
      cookieHeaders(result.cookies),
    );
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data({ problem: undefined, failure: notice }, status);
  }
}

export default function RestoreEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const problem = actionData?.problem ?? loaderData.problem;
  if (problem)
    return (
      <AuthCard title={problem.title} heading={problem.title} hasErrors>
        <p>{problem.text}</p>
        <ButtonLink variant="main" href="/contact">
          Contact us
        </ButtonLink>
      </AuthCard>
    );
  const failure = actionData?.failure;
  return (
    <AuthCard title="Get your account back" heading="Get your account back" hasErrors={failure !== undefined}>
      {failure && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      <p>
        The email of your account was changed. This sets it back to{" "}
        <strong className="wrap-anywhere">{loaderData.email}</strong>, signs out every browser, and removes the
        password.
      </p>
      <p>
        Passkeys, authenticator apps, backup codes and connected accounts are removed, too, if they were added in the 24
        hours before the change or since. Older ones stay.
      </p>
      <form method="post" name="restore-email" className="grid gap-3">
        <Button variant="main" type="submit" data-busy="Restoring...">
          Restore my email
        </Button>
        <p className="text-sm text-muted">Next, you’ll set a new password.</p>
      </form>
    </AuthCard>
  );
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}
