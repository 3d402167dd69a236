import { data } from "react-router";

import { authPath } from "#app/services/auth/return-to.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import type { EmailChangeCheck } from "#app/services/auth/emails/email-changes.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/confirm-email-page.ts";
import { linkProblems, settingsMessages as messages, takenProblem, usedLinkProblem } from "./settings-messages.ts";

/** Opening the link changes nothing, because mail scanners open links too: the button does. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const checked = await services(context).auth.checkEmailChange({ token: readToken(url), viewer: viewer(context) });
  if (checked.kind === "sign-in-first") throw signInFirst(url);
  if (checked.kind === "ready") return { from: checked.from, to: checked.to, problem: undefined };
  return { from: undefined, to: undefined, problem: problemOf(checked) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const user = viewer(context);
  const { address } = context.get(requestContext);
  const { headers } = request;
  try {
    const result = await all.auth.confirmEmailChange({ token: readToken(url), viewer: user, headers, address });
    if (result.kind === "sign-in-first") return signInFirst(url);
    if (result.kind !== "changed") {
      const problem = result.kind === "taken" ? takenProblem(result.to) : problemOf(result);
      return data({ problem, failure: undefined }, 410);
    }
    logSecurityEvent(all.log, { event: "email-changed", account: user?.id });
    const text = `You now sign in with ${result.to}. ${messages.otherDevicesLoggedOut}`;
    const message = { title: messages.emailChanged, text, tone: "success" } as const;
    return redirectWithToast("/account", message, cookieHeaders(result.cookies));
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data({ problem: undefined, failure: notice }, status);
  }
}

export default function ConfirmEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const problem = actionData?.problem ?? loaderData.problem;
  if (problem) return <LinkProblem {...problem} />;
  const failure = actionData?.failure;
  return (
    <AuthCard title="Confirm your new email" heading="Confirm your new email" hasErrors={failure !== undefined}>
      {failure && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      <dl className="grid gap-4">
        <Fact name="Current email" value={loaderData.from ?? ""} />
        <Fact name="New email" value={loaderData.to ?? ""} />
      </dl>
      <form method="post" name="confirm-email" className="grid gap-3">
        <Button variant="main" type="submit" data-busy="Confirming...">
          Confirm new email
        </Button>
        <p className="text-sm text-muted">
          You’ll sign in with your new email, and your other browsers will be signed out.
        </p>
      </form>
      <BackToAccount />
    </AuthCard>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-1">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-medium wrap-anywhere">{value}</dd>
    </div>
  );
}

function LinkProblem({ title, text }: { title: string; text: string }) {
  return (
    <AuthCard title={title} heading={title} hasErrors>
      <p className="wrap-anywhere">{text}</p>
      <ButtonLink variant="main" href="/account">
        Go to your account
      </ButtonLink>
    </AuthCard>
  );
}

function BackToAccount() {
  return (
    <a
      href="/account"
      className="-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm text-muted hover:text-text"
    >
      Not now
    </a>
  );
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}

function signInFirst(url: URL): Response {
  return redirectWithToast(authPath(url.pathname + url.search), { ...messages.signInFirst, tone: "info" });
}

function problemOf(checked: Exclude<EmailChangeCheck, { kind: "ready" | "sign-in-first" }>) {
  return checked.kind === "used" ? usedLinkProblem(checked.to) : linkProblems[checked.kind];
}
