import type { ReactNode } from "react";

import { actionQuestions, adminMessages, maxReasonLength } from "#app/features/admin/messages.ts";
import type { OperatorAction } from "#app/features/admin/messages.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { ListedUser } from "./user-data.server.ts";

/** A rejected form with what was typed. `error` belongs to its field, of a grant to the one in `field`. */
export type ActionProblem = {
  intent: OperatorAction;
  reason: string;
  confirm: string;
  until: string;
  error?: string;
  field?: "reason" | "until";
  notice?: { title: string };
};

type ActionsPanelProps = {
  user: ListedUser;
  hasTwoStep: boolean;
  isOwn: boolean;
  /** Its address is one of ADMIN_EMAILS. */
  isOperators: boolean;
  problem: ActionProblem | undefined;
};

/** What the operator can do; an operator's account can neither be blocked nor deleted here. */
export function ActionsPanel({ user, hasTwoStep, isOwn, isOperators, problem }: ActionsPanelProps) {
  const { state, email } = user;
  const errorOf = (intent: OperatorAction) => (problem?.intent === intent ? problem.error : undefined);
  return (
    <Panel title="Actions">
      {problem?.notice && <Notice tone="error" title={problem.notice.title} className="mb-5" />}
      <div className="divide-y divide-line [&>form]:py-5 [&>form:first-child]:pt-0 [&>form:last-child]:pb-0">
        <ActionForm intent="sign-out" text="Ends all sessions. The password stays the same.">
          <Button type="submit" size="s">
            Sign out everywhere
          </Button>
        </ActionForm>
        {state === "unconfirmed" && !isOperators && (
          <ActionForm
            intent="confirm"
            text="Only do this if you know the address belongs to this person. They get an email. If they never signed in, it asks them to set a new password."
          >
            <Button type="submit" size="s">
              Confirm the email
            </Button>
          </ActionForm>
        )}
        {state === "blocked" && (
          <ActionForm intent="unblock" text="The public pages come back, and the owner can sign in again.">
            <Button type="submit" size="s">
              Unblock
            </Button>
          </ActionForm>
        )}
        {hasTwoStep && !isOperators && (
          <ActionForm
            intent="reset-two-step"
            text="Removes the authenticator app, passkeys and backup codes, signs out everywhere and emails the owner. Only do this if you’re sure the request comes from them."
          >
            <Button type="submit" size="s">
              Reset two-step verification
            </Button>
          </ActionForm>
        )}
        {state !== "blocked" && !isOperators && (
          <ActionForm intent="block" text="Signs the owner out. Their public pages disappear until you unblock them.">
            <Field
              label="Reason"
              name="reason"
              autoComplete="off"
              defaultValue={problem?.intent === "block" ? problem.reason : ""}
              limit={{ max: maxReasonLength }}
              hint="For operators only."
              {...withError(errorOf("block"))}
            />
            <Button variant="danger" type="submit" size="s">
              Block
            </Button>
          </ActionForm>
        )}
        {!isOperators && (
          <DeleteForm
            email={email}
            typed={problem?.intent === "delete" ? problem.confirm : ""}
            error={errorOf("delete")}
          />
        )}
      </div>
      {isOperators && (
        <p className="mt-5 text-sm text-muted">
          {isOwn ? "This is your own account." : "This is an operator’s account."} It can’t be confirmed, blocked or
          deleted here, and its two-step verification can’t be reset. The command line can do that.
        </p>
      )}
    </Panel>
  );
}

function DeleteForm({ email, typed, error }: { email: string; typed: string; error: string | undefined }) {
  return (
    <ActionForm
      intent="delete"
      text="Deletes the account with all its data and emails the owner. This can’t be undone."
    >
      <Field
        label={`Type ${email} to confirm`}
        name="confirm"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={typed}
        {...withError(error)}
      />
      <Button variant="danger" type="submit" size="s">
        Delete the account
      </Button>
    </ActionForm>
  );
}

/** A form that was sent too long after the last proof of identity, to be sent again. It shows only what the operator typed. */
export function RepeatPanel({ intent, reason, confirm, until }: ActionProblem) {
  return (
    <section className="max-w-140">
      <h1 className="heading mb-5 text-xl">{actionQuestions[intent]}</h1>
      <IdentityNotice />
      <form method="post" className="grid justify-items-start gap-4 [&>div]:w-full">
        <input type="hidden" name="intent" value={intent} />
        {intent === "grant" && <UntilField typed={until} />}
        {(intent === "block" || intent === "grant") && (
          <Field label="Reason" name="reason" autoComplete="off" defaultValue={reason} />
        )}
        {intent === "delete" && <Field label="Email" name="confirm" autoComplete="off" defaultValue={confirm} />}
        <Button type="submit" size="s">
          Submit again
        </Button>
      </form>
    </section>
  );
}

/** The last day of a grant. */
export function UntilField({ typed, error }: { typed: string; error?: string | undefined }) {
  return (
    <Field
      label="Until"
      name="until"
      type="date"
      defaultValue={typed}
      hint="The last day, in UTC. Leave it empty for no end."
      {...withError(error)}
    />
  );
}

/** A document's form: the page that follows shows the message, with and without script. */
export function ActionForm({ intent, text, children }: { intent: OperatorAction; text: string; children: ReactNode }) {
  return (
    <form method="post" className="grid justify-items-start gap-3 [&>div]:w-full">
      <input type="hidden" name="intent" value={intent} />
      <p className="text-sm text-muted">{text}</p>
      {children}
    </form>
  );
}

function IdentityNotice() {
  const { title, text } = adminMessages.identityFirst;
  return (
    <Notice
      tone="warning"
      title={title}
      className="mb-5"
      action={
        <ButtonLink size="s" href="/account/verify" target="_blank">
          Confirm it’s you
        </ButtonLink>
      }
    >
      {text}
    </Notice>
  );
}

export function withError(error: string | undefined) {
  return error === undefined ? {} : { error };
}
