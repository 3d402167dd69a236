import { messages } from "#app/features/account/messages.ts";
import { minPasswordLength } from "#app/features/account/rules.ts";
import { authPath, forgotPath } from "#app/services/auth/return-to.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { KeptMail } from "#app/features/account/mailbox/mail-view.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { AuthCard } from "./auth-card.tsx";
import type { AuthResult } from "./auth-response.server.ts";
import { PasswordField } from "./password-field.tsx";

/** A rejected form: the typed address and the problems. Passwords are never sent back. */
type RejectedForm = { email: string; errors: FieldErrors; notice?: { title: string; text?: string }; pending?: string };

export function LogInForm({ email, errors, notice, pending, returnTo, ...can }: LogInFormProps) {
  const { canMail, hasWallets, canUsePasskeys } = can;
  return (
    <>
      {notice && (
        <Notice
          tone={pending ? "warning" : "error"}
          title={notice.title}
          action={pending && <ResendForm pending={pending} />}
        >
          {notice.text}
        </Notice>
      )}
      <form method="post" name="log-in" noValidate className="grid gap-5">
        <EmailField email={email} error={errors.email} isFirstProblem={Boolean(errors.email)} />
        <PasswordField
          error={errors.password}
          isFirstProblem={!errors.email && Boolean(errors.password)}
          aside={
            <a
              href={forgotPath(returnTo)}
              className="-my-3 inline-flex min-h-11 items-center underline hover:text-text"
            >
              Forgot your password?
            </a>
          }
        />
        {/* The first button is the one that Enter presses. */}
        <Button variant="main" type="submit" name="intent" value="log-in" data-busy="Signing in..." className="mt-1">
          Sign in
        </Button>
        {canMail && (
          <Button type="submit" name="intent" value="email-sign-in" data-busy="Sending...">
            Email me a sign-in link
          </Button>
        )}
      </form>
      {/* As far from the buttons of the form as they are from each other. */}
      {canUsePasskeys && (
        <ButtonLink href={withReturnTo("/auth/with-passkey", returnTo)} className="-mt-1.5">
          Sign in with a passkey
        </ButtonLink>
      )}
      {hasWallets && (
        // Its script shows it in browsers with a wallet.
        <ButtonLink href={withReturnTo("/auth/with-wallet", returnTo)} hidden data-wallet-link className="-mt-1.5">
          Sign in with an Ethereum wallet
        </ButtonLink>
      )}
    </>
  );
}

function withReturnTo(path: string, returnTo: string | undefined): string {
  return returnTo ? `${path}?${new URLSearchParams({ returnTo })}` : path;
}

type LogInFormProps = RejectedForm & {
  returnTo: string | undefined;
  canMail: boolean;
  /** Whether users can sign in with a wallet, where the browser has one. */
  hasWallets: boolean;
  canUsePasskeys: boolean;
};

/** Instead of the form, where strangers can't create accounts. */
export function ClosedSignUp({ policy, notice, href }: ClosedSignUpProps) {
  return (
    <>
      {notice && <Notice tone="error" title={notice.title} />}
      <p>{messages.signUpRefused[policy]}</p>
      <ButtonLink variant="main" href={href}>
        Sign in
      </ButtonLink>
    </>
  );
}

type ClosedSignUpProps = { policy: "invite" | "closed"; notice: RejectedForm["notice"]; href: string };

/** `invitedAs`: the address of an invitation, which needs no other mail. */
export function SignUpForm({ email, errors, notice, canMail, invitedAs }: SignUpFormProps) {
  const isUsable = canMail || invitedAs !== undefined;
  return (
    <>
      {!isUsable && (
        <Notice tone="warning" title={messages.noMail.title}>
          {messages.noMail.text}
        </Notice>
      )}
      {notice && (
        <Notice tone="error" title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <form method="post" name="sign-up" noValidate>
        <fieldset disabled={!isUsable} className="grid gap-5">
          <input type="hidden" name="intent" value="sign-up" />
          <EmailField
            email={invitedAs ?? email}
            error={errors.email}
            isFirstProblem={Boolean(errors.email)}
            isFixed={invitedAs !== undefined}
          />
          <PasswordField
            isNew
            hint={`At least ${minPasswordLength} characters. A few random words work well.`}
            error={errors.password}
            isFirstProblem={!errors.email && Boolean(errors.password)}
          />
          <Button variant="main" type="submit" data-busy="Signing up..." className="mt-1">
            Sign Up
          </Button>
        </fieldset>
      </form>
    </>
  );
}

type SignUpFormProps = RejectedForm & { canMail: boolean; invitedAs: string | undefined };

/** Shown after every sign-up, whether the address had an account or not: only its owner learns that, by email. */
export function CheckEmail({ email, pending, notice, hasMailBox, returnTo, hasDraftCard }: CheckEmailProps) {
  return (
    <AuthCard
      title="Check your email"
      heading={messages.checkEmail}
      lead={
        hasMailBox ? (
          <>
            <KeptMail to={email} />
            {hasDraftCard && <p>{messages.draftCardWaits}</p>}
          </>
        ) : (
          <p>
            We sent it to <strong className="text-ink">{email}</strong>. It’s valid for 24 hours.
            {hasDraftCard && ` ${messages.draftCardWaits}`}
          </p>
        )
      }
    >
      {notice && (
        <Notice tone={notice.tone} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <div className="grid justify-items-start gap-3">
        <p className="text-sm text-muted">
          {hasMailBox ? `It’s for ${email}. You can ` : "Nothing after a minute? Check your spam folder, "}send it
          again, or{" "}
          <a href={authPath(returnTo, { tab: "signup", again: "1" })} className="underline hover:text-text">
            use a different address
          </a>
          .
        </p>
        <ResendForm pending={pending} />
      </div>
    </AuthCard>
  );
}

type CheckEmailProps = Omit<Extract<AuthResult, { kind: "check-email" }>, "kind"> & {
  hasMailBox: boolean;
  returnTo: string | undefined;
  /** Whether the visitor has a draft card, which the first steps start with. */
  hasDraftCard: boolean;
};

/** For an expired or incomplete confirmation link. */
export function ExpiredLinkNotice({ pending, email }: { pending: string; email: string | undefined }) {
  const message = email ? messages.expiredLink : messages.brokenLink;
  return (
    <Notice tone="warning" title={message.title} action={email && <ResendForm pending={pending} />}>
      {message.text}
    </Notice>
  );
}

function ResendForm({ pending }: { pending: string }) {
  return (
    <form method="post" name="resend">
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="pending" value={pending} />
      <Button type="submit" size="s" data-busy="Sending...">
        Resend link
      </Button>
    </form>
  );
}

type EmailFieldProps = {
  email: string | undefined;
  error: string | undefined;
  isFirstProblem: boolean;
  hasPasskeys?: boolean;
  /** It can't be changed. */
  isFixed?: boolean;
};

/** `hasPasskeys`: browsers offer them in this field. `isFirstProblem`: the first invalid field of a rejected form gets the focus, so that screen readers announce its error. */
export function EmailField({ email, error, isFirstProblem, hasPasskeys = false, isFixed = false }: EmailFieldProps) {
  return (
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete={hasPasskeys ? "username webauthn" : "username"}
      inputMode="email"
      required
      defaultValue={email}
      readOnly={isFixed}
      error={error}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page: see isFirstProblem
      autoFocus={isFirstProblem}
    />
  );
}
