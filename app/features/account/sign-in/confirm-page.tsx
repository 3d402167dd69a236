import { data, redirect } from "react-router";

import { findPasswordError, limitSignUpForm } from "#app/features/account/data.server.ts";
import { messages, tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { localPath, signedInPath } from "#app/services/auth/return-to.ts";
import { minPasswordLength } from "#app/features/account/rules.ts";
import { fieldErrors, firstPasswordForm, readFields } from "#app/features/account/schema.ts";
import type { ConfirmCheck } from "#app/services/auth/emails/email-confirmations.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/confirm-page.ts";
import { AuthCard } from "./auth-card.tsx";
import { cookieHeaders, reportFailure } from "./auth-response.server.ts";
import { PasswordField } from "./password-field.tsx";

/** Opening the link changes nothing, because email scanners open links too: the button does. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const token = readToken(url);
  const user = viewer(context);
  const checked = await services(context).auth.checkConfirmation({ token, viewer: user, headers: request.headers });
  if (checked.kind !== "ready") throw respondToRefusal(checked, { token, user });
  const { userId, ...shown } = checked;
  const signedInAs = user && user.id !== userId ? user.email : undefined;
  return { ...shown, isSignedIn: user !== undefined, signedInAs };
}

/** A rejected form: an error of its password, or what went wrong. */
type ConfirmProblem = { error?: string; failure?: { title: string; text?: string } };

export async function action({ request, context, url }: Route.ActionArgs) {
  const link = { token: readToken(url), viewer: viewer(context), headers: request.headers };
  const all = services(context);
  const { address } = context.get(requestContext);
  try {
    const checked = await all.auth.checkConfirmation(link);
    if (checked.kind !== "ready") return respondToRefusal(checked, { ...link, user: link.viewer });
    const chosen = checked.needsPassword ? await readFirstPassword(all, { request, address, ...checked }) : noPassword;
    if ("problem" in chosen) return data<ConfirmProblem>(chosen.problem, chosen.status);
    const result = await all.auth.confirm({ ...link, ...chosen, address });
    if (result.kind === "signed-in") {
      logSecurityEvent(all.log, { event: "signed-in", account: checked.userId });
      const toast = { ...messages.confirmed, tone: "success" } as const;
      return redirectWithToast(pathAfterSignUp(result.returnTo), toast, cookieHeaders(result.cookies));
    }
    if (result.kind === "password-required") return data<ConfirmProblem>({ error: messages.passwordRequired }, 400);
    if (result.kind === "confirmed") return respondToConfirmed(result.email, link.viewer);
    return respondToRefusal(result, { ...link, user: link.viewer });
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data<ConfirmProblem>({ failure: notice }, status);
  }
}

const noPassword = { password: undefined };

type FirstPassword = { request: Request; address: string; email: string };

/** The password that is chosen in a browser that didn't sign up, or what is wrong with it. */
async function readFirstPassword(
  all: ReturnType<typeof services>,
  { request, address, email }: FirstPassword,
): Promise<{ password: string } | { problem: ConfirmProblem; status: number }> {
  const form = firstPasswordForm.safeParse(await readFields(request));
  if (!form.success) return { problem: { error: fieldErrors(form.error).password ?? "" }, status: 400 };
  const limited = await limitSignUpForm(all, { address });
  if (limited) {
    const failure = tooManyCallbacksMessage(formatWait(limited.until, all.clock()));
    return { problem: { failure }, status: 429 };
  }
  const { password } = form.data;
  const error = await findPasswordError(all, { password, email });
  return error === undefined ? { password } : { problem: { error }, status: 400 };
}

/** Nobody was signed in: another user is, or the account has its own sign-in methods. */
function respondToConfirmed(email: string, user: Viewer | undefined): Response {
  if (!user) return redirectWithToast("/auth", { ...messages.confirmedOnly, tone: "success" });
  const message = user.email === email ? messages.confirmedOwn : messages.confirmedOther;
  return redirectWithToast(signedInPath, { ...message, tone: "success" });
}

/** A new user starts with their card, unless they signed up on the way to another page. */
function pathAfterSignUp(returnTo = ""): string {
  const path = localPath(returnTo);
  return path === undefined || path === signedInPath || path === "/profile" ? "/start" : path;
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
  const { email, isSignedIn, needsPassword } = loaderData;
  const { failure, error } = actionData ?? {};
  return (
    <AuthCard title="Confirm your email" heading="Confirm your email" hasErrors={actionData !== undefined}>
      {failure && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      {!needsPassword && (
        <p className="grid gap-1">
          <span className="text-sm text-muted">Is this your email address?</span>
          <strong className="text-lg font-semibold wrap-anywhere">{email}</strong>
        </p>
      )}
      <form method="post" name="confirm" noValidate className="grid gap-5">
        {needsPassword && <FirstPasswordFields email={email} error={error} />}
        <div className="grid gap-3">
          <Button variant="main" type="submit" data-busy="Confirming...">
            {isSignedIn ? "Confirm email" : "Confirm and sign in"}
          </Button>
          <p className="text-sm text-muted wrap-anywhere">{explain(loaderData)}</p>
        </div>
      </form>
    </AuthCard>
  );
}

/** Anyone can sign up with an address: the password of another browser may be a stranger's. */
function FirstPasswordFields({ email, error }: { email: string; error: string | undefined }) {
  return (
    <>
      <p>
        You didn’t sign up in this browser, so enter your password again. It can be the one you chose, or a new one.
      </p>
      <Field label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        isNew
        hint={`At least ${minPasswordLength} characters.`}
        error={error}
        isFirstProblem={error !== undefined}
      />
    </>
  );
}

type Explained = Pick<Route.ComponentProps["loaderData"], "isSignUp" | "isSignedIn" | "signedInAs">;

function explain({ isSignUp, isSignedIn, signedInAs }: Explained): string {
  const sentences = [
    isSignedIn && signedInAs === undefined && "It belongs to the account you’re signed in to.",
    signedInAs !== undefined && `You’ll stay signed in as ${signedInAs}.`,
    isSignUp && "Didn’t sign up? Just close this page.",
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}
