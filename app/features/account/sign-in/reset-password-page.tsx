import { data } from "react-router";

import { requestContext, services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Toast } from "#app/ui/components/toast.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import type { Route } from "./+types/reset-password-page.ts";
import { PasswordField } from "./password-field.tsx";
import { reportFailure } from "./auth-response.server.ts";
import { AuthCard, BackToLogin } from "./auth-card.tsx";
import { findPasswordError, resetPassword } from "#app/features/account/data.server.ts";
import { fieldErrors, newPasswordForm, readFields } from "#app/features/account/schema.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { messages } from "#app/features/account/messages.ts";
import { minPasswordLength } from "#app/features/account/rules.ts";

/** Opening the page doesn't use up the link: email scanners open links too. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const reset = await services(context).auth.findReset(url.searchParams.get("token") ?? "");
  // The link that undoes a changed email leads here, with a message of its own.
  return { email: reset?.email, isRestored: url.searchParams.has("restored") };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const { address } = context.get(requestContext);
  const token = url.searchParams.get("token") ?? "";
  const reset = await all.auth.findReset(token);
  if (!reset) return rejectForm({}, 410);
  const form = newPasswordForm.safeParse(await readFields(request));
  if (!form.success) return rejectForm(fieldErrors(form.error), 400);
  const { password } = form.data;
  const problem = await findPasswordError(all, {
    password,
    email: reset.email,
    ownerId: await all.auth.findUserId(reset.email),
  });
  if (problem) return rejectForm({ password: problem }, 400);
  try {
    const { email } = reset;
    const isSet = await resetPassword(all, { token, password, email, headers: request.headers, address });
    if (!isSet) return rejectForm({}, 410);
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return rejectForm({}, status, `${notice.title}. ${messages.resetStillValid}`);
  }
  const account = await all.auth.findUserId(reset.email);
  logSecurityEvent(all.log, { event: "password-reset", account });
  return redirectWithToast("/auth", { title: messages.passwordUpdated, tone: "success" });
}

type ResetResult = { errors: FieldErrors; failure: string | undefined };

function rejectForm(errors: FieldErrors, status: number, failure?: string) {
  return data<ResetResult>({ errors, failure }, status);
}

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email } = loaderData;
  if (!email) return <LinkExpired hasTried={actionData !== undefined} />;
  const errors: FieldErrors = actionData?.errors ?? {};
  return (
    <AuthCard title="Set a new password" hasErrors={actionData !== undefined} heading="Set a new password">
      {actionData?.failure && (
        <Notice tone="error" title={messages.passwordNotUpdated}>
          {actionData.failure}
        </Notice>
      )}
      <form method="post" name="reset-password" noValidate className="grid gap-5">
        <Field label="Email" type="email" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="New password"
          isNew
          hint={`At least ${minPasswordLength} characters. You’ll be signed out everywhere.`}
          error={errors.password}
          isFirstProblem={Boolean(errors.password)}
        />
        <PasswordField
          label="Confirm password"
          name="confirm"
          isNew
          error={errors.confirm}
          isFirstProblem={!errors.password && Boolean(errors.confirm)}
        />
        <Button variant="main" type="submit" data-busy="Resetting..." className="mt-1">
          Set New Password
        </Button>
      </form>
      {(actionData || !loaderData.isRestored) && <Toast message={toastFor(actionData)} />}
    </AuthCard>
  );
}

/** The specification's toasts: one for an opened link, and one beside the message of a rejected form. */
function toastFor(result: ResetResult | undefined): ToastContent {
  if (!result) return { title: messages.canSetPassword, tone: "info" };
  const { errors, failure } = result;
  const title = failure === undefined ? (errors.password ?? errors.confirm) : undefined;
  return { title: title ?? messages.passwordNotUpdated, tone: "error" };
}

function LinkExpired({ hasTried }: { hasTried: boolean }) {
  return (
    <AuthCard
      title="Set a new password"
      hasErrors
      heading={hasTried ? messages.passwordNotUpdated : messages.resetExpired.title}
    >
      <Notice tone="warning" title={hasTried ? messages.resetExpired.title : undefined}>
        {messages.resetExpired.text}
      </Notice>
      <ButtonLink variant="main" href="/forgot-password">
        Request a new link
      </ButtonLink>
      <BackToLogin />
    </AuthCard>
  );
}
