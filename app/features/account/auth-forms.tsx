import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import { EmailField, PasswordField } from "./account-fields.tsx";
import type { AuthAnswer } from "./auth-answers.server.ts";
import { AuthCard } from "./auth-card.tsx";
import type { FieldErrors } from "./form.ts";
import { messages } from "./messages.ts";
import { minPasswordLength } from "./rules.ts";

/** What was typed, and what is wrong with it. Passwords are never sent back. */
type Refusal = { email: string; errors: FieldErrors; notice?: { title: string; text?: string }; pending?: string };

export function LogInForm({ email, errors, notice, pending }: Refusal) {
  return (
    <>
      {notice && (
        <Notice
          tone={pending ? "warning" : "error"}
          title={notice.title}
          action={pending && <Resend pending={pending} />}
        >
          {notice.text}
        </Notice>
      )}
      <form method="post" className="grid gap-5">
        <input type="hidden" name="intent" value="log-in" />
        <EmailField email={email} error={errors.email} isFirstFault={Boolean(errors.email)} />
        <PasswordField
          error={errors.password}
          isFirstFault={!errors.email && Boolean(errors.password)}
          aside={
            <a href="/forgot-password" className="-my-3 inline-flex min-h-11 items-center underline hover:text-text">
              Forgot your password?
            </a>
          }
        />
        <Button variant="main" type="submit" className="mt-1">
          Login
        </Button>
      </form>
    </>
  );
}

export function SignUpForm({ email, errors, notice, canMail }: Refusal & { canMail: boolean }) {
  return (
    <>
      {!canMail && (
        <Notice tone="warning" title={messages.noMail.title}>
          {messages.noMail.text}
        </Notice>
      )}
      {notice && (
        <Notice tone="error" title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <form method="post">
        <fieldset disabled={!canMail} className="grid gap-5">
          <input type="hidden" name="intent" value="sign-up" />
          <EmailField email={email} error={errors.email} isFirstFault={Boolean(errors.email)} />
          <PasswordField
            isNew
            hint={`At least ${minPasswordLength} characters. A few words make a good one.`}
            error={errors.password}
            isFirstFault={!errors.email && Boolean(errors.password)}
          />
          <Button variant="main" type="submit" className="mt-1">
            Sign Up
          </Button>
        </fieldset>
      </form>
    </>
  );
}

/** After a sign-up, whatever became of it: who has the mail box finds out there. */
export function CheckEmail({
  email,
  pending,
  notice,
  hasMailBox,
}: Extract<AuthAnswer, { kind: "check-email" }> & { hasMailBox: boolean }) {
  return (
    <AuthCard
      title="Check your email"
      heading={messages.checkEmail}
      lead={
        <p>
          We sent it to <strong className="text-ink">{email}</strong>. It holds for 24 hours and signs you in.
        </p>
      }
    >
      {notice && (
        <Notice tone={notice.tone} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      {hasMailBox && (
        <Notice
          title="This server keeps its mail here"
          action={
            <ButtonLink variant="main" size="s" href="/dev/mail">
              Open mail box
            </ButtonLink>
          }
        >
          No SMTP_URL is set, so nothing is sent. Every mail waits in the local mail box.
        </Notice>
      )}
      <div className="grid justify-items-start gap-3">
        <p className="text-sm text-muted">
          Nothing there after a minute? Look into the spam folder, have it sent again, or{" "}
          <a href="/auth?tab=signup" className="underline hover:text-text">
            use another address
          </a>
          .
        </p>
        <Resend pending={pending} />
      </div>
    </AuthCard>
  );
}

/** A confirmation link that is over, or that was cut off on its way. */
export function LateLink({ pending, email }: { pending: string; email: string | undefined }) {
  const words = email ? messages.lateLink : messages.brokenLink;
  return (
    <Notice tone="warning" title={words.title} action={email && <Resend pending={pending} />}>
      {words.text}
    </Notice>
  );
}

function Resend({ pending }: { pending: string }) {
  return (
    <form method="post">
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="pending" value={pending} />
      <Button type="submit" size="s">
        Send the link again
      </Button>
    </form>
  );
}
