import { PasskeyButton } from "#app/features/account/factors/passkeys/passkey-button.tsx";
import { PasswordField } from "#app/features/account/sign-in/password-field.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { identityMessages as messages } from "./identity-messages.ts";

/** What the account has to prove, besides its password or mailed code. */
export type ProofFactor = { hasApp: boolean; error: string | undefined };

type PasswordProofProps = {
  email: string;
  error: string | undefined;
  factor: ProofFactor | undefined;
  isMain: boolean;
};

/** The password, with a code where two-step verification is on. */
export function PasswordProof({ email, error, factor, isMain }: PasswordProofProps) {
  return (
    <form method="post" name="password-proof" noValidate className="grid gap-5">
      <Field label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Password"
        error={error}
        isFirstProblem={error !== undefined}
        aside={
          <a href="/forgot-password" className="-my-3 inline-flex min-h-11 items-center underline hover:text-text">
            Forgot your password?
          </a>
        }
      />
      {factor && <FactorField {...factor} isFirstProblem={error === undefined} autoComplete="one-time-code" />}
      <Button variant={isMain ? "main" : "quiet"} type="submit" data-busy="Checking...">
        Continue
      </Button>
    </form>
  );
}

type CodeProofProps = {
  email: string;
  error: string | undefined;
  factor: ProofFactor | undefined;
  hasCode: boolean;
  canMail: boolean;
  isMain: boolean;
  /** A code was just sent, or refused. */
  isResponse: boolean;
};

/** For an account without a password. */
export function CodeProof({ email, error, factor, hasCode, canMail, isMain, isResponse }: CodeProofProps) {
  if (!canMail)
    return (
      <Notice tone="warning" title={messages.noMail.title}>
        {messages.noMail.text}
      </Notice>
    );
  return (
    <>
      {hasCode && (
        <form method="post" name="code-proof" noValidate className="grid gap-5">
          <input type="hidden" name="intent" value="code" />
          <Field
            label={factor ? "Code from our email" : "Code"}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={`We sent it to ${email}.`}
            error={error}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page
            autoFocus={isResponse && !factor?.error}
          />
          {factor && <FactorField {...factor} isFirstProblem={error === undefined} autoComplete="off" />}
          <Button variant={isMain ? "main" : "quiet"} type="submit" data-busy="Checking...">
            Continue
          </Button>
        </form>
      )}
      <form method="post" name="send-code" className="grid gap-3">
        <input type="hidden" name="intent" value="send-code" />
        <Button variant={hasCode || !isMain ? "quiet" : "main"} type="submit" data-busy="Sending...">
          {hasCode ? "Email me a new code" : "Email me a code"}
        </Button>
        {!hasCode && <p className="text-sm text-muted wrap-anywhere">The code goes to {email}.</p>}
      </form>
    </>
  );
}

type FactorFieldProps = ProofFactor & { isFirstProblem: boolean; autoComplete: string };

function FactorField({ hasApp, error, isFirstProblem, autoComplete }: FactorFieldProps) {
  return (
    <Field
      label={hasApp ? "Code" : "Backup code"}
      name="factor"
      autoComplete={hasApp ? autoComplete : "off"}
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
      required
      hint={
        hasApp ? "From your authenticator app. No access to it? Enter a backup code." : "One of the codes you saved."
      }
      className="font-mono tracking-widest"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- only the first invalid field of a rejected form
      autoFocus={isFirstProblem && error !== undefined}
      {...(error && { error })}
    />
  );
}

/** A passkey is both factors. */
export function PasskeyProof({ isMain }: { isMain: boolean }) {
  return (
    <form method="post" name="passkey-proof">
      <input type="hidden" name="intent" value="passkey" />
      <PasskeyButton purpose="confirm" isMain={isMain}>
        Use a passkey
      </PasskeyButton>
    </form>
  );
}
