import type { ReactNode } from "react";
import { Link } from "react-router";

import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { factsClass } from "./account-panels.tsx";
import { ChangeEmailForm, ChangePasswordForm } from "./sign-in-forms.tsx";
import { settingsMessages as messages } from "./settings-messages.ts";
import type { SettingsIntent, SettingsRejection } from "./sign-in-action.server.ts";

type SignInPanelProps = {
  email: string;
  isConfirmed: boolean;
  canMail: boolean;
  /** Whether there are providers or wallets to sign in with or to connect. */
  hasProviders: boolean;
  /** Mails are stored on this machine, for its user. */
  hasMailBox: boolean;
  canUsePasskeys: boolean;
  /** When the password was set, in epoch milliseconds; undefined for an account without one. */
  passwordTime: number | undefined;
  /** The new address that isn't confirmed yet. */
  emailChange: { email: string; until: number } | undefined;
  rejection: SettingsRejection | undefined;
};

/** The email address and the password, with the forms that change them. */
export function SignInPanel({ email, isConfirmed, emailChange, rejection, ...rest }: SignInPanelProps) {
  const { canMail, hasMailBox, passwordTime, hasProviders, canUsePasskeys } = rest;
  const rejected = (intent: SettingsIntent) => (rejection?.values.intent === intent ? rejection : undefined);
  const hasPassword = passwordTime !== undefined;
  return (
    <Panel title="Sign-in">
      <dl className={`${factsClass} max-sm:grid-cols-[auto_minmax(0,1fr)]!`}>
        <dt>Email</dt>
        <dd className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 wrap-anywhere">{email}</span>
          <span className="text-sm font-normal text-muted">{isConfirmed ? "confirmed" : "not confirmed"}</span>
        </dd>
      </dl>
      {emailChange && (
        <PendingChange
          {...{ email, hasMailBox }}
          newEmail={emailChange.email}
          notice={rejected("cancel-email")?.problem}
        />
      )}
      <div className="-mb-3 mt-4 divide-y divide-line border-t border-line">
        {/* A new key closes and clears a form that was accepted. */}
        <Fold key={emailChange?.until ?? email} title="Change email" isOpen={rejected("change-email") !== undefined}>
          {canMail && hasPassword ? (
            <ChangeEmailForm email={email} rejection={rejected("change-email")} />
          ) : (
            <Notice title={canMail ? messages.noPassword.title : messages.noMail.title}>
              {canMail ? messages.noPassword.text : messages.noMail.text}
            </Notice>
          )}
        </Fold>
        {hasPassword ? (
          <Fold
            key={`password ${passwordTime}`}
            title="Change password"
            isOpen={rejected("change-password") !== undefined}
          >
            <ChangePasswordForm email={email} rejection={rejected("change-password")} />
          </Fold>
        ) : (
          <Fold title="Set a password">
            <MailedLinkForm {...{ email, canMail }} />
          </Fold>
        )}
        {hasProviders && <Row to="/account/connections">Connected accounts</Row>}
        <Row to="/account/sessions">Where you’re signed in</Row>
        <Row to="/account/two-step">{`Two-step verification${canUsePasskeys ? " and passkeys" : ""}`}</Row>
        <Row to="/account/security-log">Security log</Row>
        <Row to="/account/preferences">Sign-in emails, dates and time zone</Row>
      </div>
    </Panel>
  );
}

type PendingChangeProps = {
  email: string;
  newEmail: string;
  hasMailBox: boolean;
  notice: { title: string; text?: string } | undefined;
};

function PendingChange({ email, newEmail, hasMailBox, notice }: PendingChangeProps) {
  return (
    <Notice
      className="mt-5"
      tone={notice ? "error" : "info"}
      title={notice?.title ?? "Confirm your new email"}
      action={
        <>
          {hasMailBox && (
            <ButtonLink size="s" href="/dev/mail">
              Open mailbox
            </ButtonLink>
          )}
          <ActionButton fields={{ intent: "cancel-email" }}>Cancel change</ActionButton>
        </>
      }
    >
      {notice?.text ?? (
        <>
          Open the link that we sent to <strong className="wrap-anywhere text-text">{newEmail}</strong> within 24 hours.
          Until then, you sign in with <span className="wrap-anywhere">{email}</span>.
        </>
      )}
    </Notice>
  );
}

/** A link to a page of its own, in line with the folds. */
function Row({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`${summaryClass} no-underline`}>
      <span className="flex-1 font-medium">{children}</span>
      <Chevron className="-rotate-90 rtl:rotate-90" />
    </Link>
  );
}

function Fold({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details className="group/fold" open={isOpen}>
      <summary className={summaryClass}>
        <span className="flex-1 font-medium">{title}</span>
        <Chevron className="transition-transform group-open/fold:rotate-180 motion-reduce:transition-none" />
      </summary>
      <div className="pt-1 pb-5">{children}</div>
    </details>
  );
}

const summaryClass =
  "flex min-h-13 list-none items-center gap-4 rounded-control hover:text-text focus-visible:-outline-offset-2 " +
  "[&::-webkit-details-marker]:hidden";

/** For an account without a password: the link in the mail sets the first one. */
function MailedLinkForm({ email, canMail }: { email: string; canMail: boolean }) {
  return (
    <form method="post" action="/forgot-password" className="grid justify-items-start gap-2.5">
      <input type="hidden" name="email" value={email} />
      <p className="text-sm text-muted">
        {canMail
          ? "Your account has no password yet. We’ll send you a link to set one."
          : `${messages.noMail.title}, so you can’t set a password yet.`}
      </p>
      <Button type="submit" size="s" disabled={!canMail}>
        Email me a link
      </Button>
    </form>
  );
}
