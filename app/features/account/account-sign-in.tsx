import { Form } from "react-router";

import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { facts } from "./account-panels.tsx";
import { messages } from "./messages.ts";

type UnconfirmedProps = { email: string; canMail: boolean; problem: { title: string; text?: string } | undefined };

/** Above everything else, while nobody knows whether the address is theirs. */
export function Unconfirmed({ email, canMail, problem }: UnconfirmedProps) {
  const { title, text } = problem ?? (canMail ? messages.unconfirmed : messages.noMail);
  return (
    <Notice
      tone={problem ? "error" : "warning"}
      title={title}
      action={
        canMail && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="resend" />
            <Button type="submit" size="s">
              Resend verification email
            </Button>
          </Form>
        )
      }
    >
      {text} {!problem && canMail && `The link goes to ${email}.`}
    </Notice>
  );
}

type SignInProps = { email: string; isConfirmed: boolean; canMail: boolean };

/** Who one is here, and how the password is changed: through the mail box, as when it is forgotten. */
export function SignInPanel({ email, isConfirmed, canMail }: SignInProps) {
  return (
    <Panel title="Sign-in">
      <dl className={facts}>
        <dt>Email</dt>
        <dd className="flex flex-wrap items-baseline gap-x-3">
          {email} <span className="text-sm font-normal text-muted">{isConfirmed ? "confirmed" : "not confirmed"}</span>
        </dd>
      </dl>
      <form method="post" action="/forgot-password" className="mt-5 grid justify-items-start gap-2.5">
        <input type="hidden" name="email" value={email} />
        <Button type="submit" size="s" disabled={!canMail}>
          Change password
        </Button>
        <p className="text-sm text-muted">
          {canMail
            ? "We send a link to your email. A new password signs you out everywhere."
            : `${messages.noMail.title}, and a new password needs it.`}
        </p>
      </form>
    </Panel>
  );
}
