import { useRef } from "react";
import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";

import { maxPasswordLength, minPasswordLength } from "#app/features/account/rules.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { PasswordField } from "#app/features/account/sign-in/password-field.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";

import type { SettingsIntent, SettingsRejection } from "./sign-in-action.server.ts";

type SettingsFormProps = { email: string; rejection: SettingsRejection | undefined };

export function ChangeEmailForm({ email, rejection }: SettingsFormProps) {
  const errors: FieldErrors = rejection?.errors ?? {};
  return (
    <SettingsForm
      intent="change-email"
      rejection={rejection}
      submit={{ label: "Send confirmation link", busy: "Sending..." }}
    >
      <UsernameField email={email} />
      <Field
        label="New email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        defaultValue={rejection?.values.email}
        error={errors.email}
        hint="We’ll send a link to this address. Your email changes once you confirm it."
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only the first invalid field of a rejected form
        autoFocus={Boolean(errors.email)}
      />
      <PasswordField
        label="Current password"
        name="current"
        error={errors.current}
        isFirstProblem={!errors.email && Boolean(errors.current)}
      />
    </SettingsForm>
  );
}

export function ChangePasswordForm({ email, rejection }: SettingsFormProps) {
  const errors: FieldErrors = rejection?.errors ?? {};
  return (
    <SettingsForm
      intent="change-password"
      rejection={rejection}
      submit={{ label: "Change password", busy: "Saving..." }}
    >
      <UsernameField email={email} />
      <PasswordField
        label="Current password"
        name="current"
        error={errors.current}
        isFirstProblem={Boolean(errors.current)}
      />
      <PasswordField
        label="New password"
        isNew
        hint={`${minPasswordLength} to ${maxPasswordLength} characters. Your other browsers will be signed out.`}
        error={errors.password}
        isFirstProblem={!errors.current && Boolean(errors.password)}
      />
      <PasswordField
        label="Confirm password"
        name="confirm"
        isNew
        error={errors.confirm}
        isFirstProblem={!errors.current && !errors.password && Boolean(errors.confirm)}
      />
    </SettingsForm>
  );
}

type SettingsFrameProps = {
  intent: SettingsIntent;
  rejection: SettingsRejection | undefined;
  submit: { label: string; busy: string };
  children: ReactNode;
};

/** Submits without a page load where script runs. Our own messages instead of the browser's (`noValidate`). */
function SettingsForm({ intent, rejection, submit, children }: SettingsFrameProps) {
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstError(form, rejection);
  const isBusy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form ref={form} method="post" action="/account" preventScrollReset noValidate className="grid gap-5">
      {rejection?.problem && (
        <Notice
          tone={rejection.problem.isStale ? "warning" : "error"}
          title={rejection.problem.title}
          action={
            rejection.problem.isStale && (
              <ButtonLink size="s" href="/account/verify" target="_blank">
                Confirm it’s you
              </ButtonLink>
            )
          }
        >
          {rejection.problem.text}
        </Notice>
      )}
      <input type="hidden" name="intent" value={intent} />
      {children}
      <Button variant="main" type="submit" size="s" className="justify-self-start" aria-disabled={isBusy}>
        {isBusy ? submit.busy : submit.label}
      </Button>
    </Form>
  );
}

/** Tells password managers which account the form belongs to. */
function UsernameField({ email }: { email: string }) {
  return <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />;
}
