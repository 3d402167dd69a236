import { data } from "react-router";

import { requestId, services } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";

import type { Route } from "./+types/reset-password-page.ts";
import { PasswordField } from "./account-fields.tsx";
import { failureOf } from "./auth-answers.server.ts";
import { AuthCard, BackToLogin } from "./auth-card.tsx";
import { refusePassword, resetPassword } from "./data.server.ts";
import { fieldErrors, newPasswordForm, readFields } from "./form.ts";
import type { FieldErrors } from "./form.ts";
import { messages } from "./messages.ts";
import { minPasswordLength } from "./rules.ts";

/** Opening the page uses nothing up: programs that look at mails open links too. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const reset = await services(context).auth.findReset(url.searchParams.get("token") ?? "");
  return { email: reset?.email };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const token = url.searchParams.get("token") ?? "";
  const reset = await all.auth.findReset(token);
  if (!reset) return refuse({}, 410);
  const form = newPasswordForm.safeParse(await readFields(request));
  if (!form.success) return refuse(fieldErrors(form.error), 400);
  const { password } = form.data;
  const fault = refusePassword(password, reset.email);
  if (fault) return refuse({ password: fault }, 400);
  try {
    if (!(await resetPassword(all, { token, password, email: reset.email }))) return refuse({}, 410);
  } catch (error) {
    const { notice, status } = failureOf({ services: all, id: requestId(context) }, error);
    return refuse({}, status, `${notice.title}. ${messages.resetStaysGood}`);
  }
  return redirectWithToast("/auth", { title: messages.passwordUpdated, tone: "success" });
}

function refuse(errors: FieldErrors, status: number, failure?: string) {
  return data({ errors, failure }, status);
}

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email } = loaderData;
  if (!email) return <LinkIsOver hasTried={actionData !== undefined} />;
  const errors: FieldErrors = actionData?.errors ?? {};
  return (
    <AuthCard title="Set a new password" hasErrors={actionData !== undefined} heading="Set a new password">
      {!actionData && <Notice>{messages.canSetPassword}</Notice>}
      {actionData?.failure && (
        <Notice tone="error" title={messages.passwordNotUpdated}>
          {actionData.failure}
        </Notice>
      )}
      <form method="post" className="grid gap-5">
        <Field label="Email" type="email" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="New password"
          isNew
          hint={`At least ${minPasswordLength} characters. You will be signed out everywhere.`}
          error={errors.password}
          isFirstFault={Boolean(errors.password)}
        />
        <PasswordField
          label="Confirm password"
          name="confirm"
          isNew
          error={errors.confirm}
          isFirstFault={!errors.password && Boolean(errors.confirm)}
        />
        <Button variant="main" type="submit" className="mt-1">
          Set New Password
        </Button>
      </form>
    </AuthCard>
  );
}

function LinkIsOver({ hasTried }: { hasTried: boolean }) {
  return (
    <AuthCard
      title="Set a new password"
      hasErrors
      heading={hasTried ? messages.passwordNotUpdated : messages.resetOver.title}
    >
      <Notice tone="warning" title={hasTried ? messages.resetOver.title : undefined}>
        {messages.resetOver.text}
      </Notice>
      <ButtonLink variant="main" href="/forgot-password">
        Ask for a new link
      </ButtonLink>
      <BackToLogin />
    </AuthCard>
  );
}
