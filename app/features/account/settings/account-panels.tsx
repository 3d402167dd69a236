import { useNavigation } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel, StatusBadge } from "#app/ui/components/panel.tsx";

type UnconfirmedNoticeProps = {
  email: string;
  canMail: boolean;
  problem: { title: string; text?: string } | undefined;
};

/** Shown above the panels while the address isn't confirmed. */
export function UnconfirmedNotice({ email, canMail, problem }: UnconfirmedNoticeProps) {
  const { title, text } = problem ?? (canMail ? messages.unconfirmed : messages.noMail);
  return (
    <Notice
      tone={problem ? "error" : "warning"}
      title={title}
      action={canMail && <ActionButton fields={{ intent: "resend" }}>Resend verification email</ActionButton>}
    >
      {text} {!problem && canMail && `The link goes to ${email}.`}
    </Notice>
  );
}

/** A user's subscription. */
export type SubscriptionSummary = {
  isSubscribed: boolean;
  planName: string;
  /** What happens next to `plan`, and on which day. "failed": it ends then, because a payment failed. "unpaid": it ended then. */
  change: { kind: "renews" | "ends" | "failed" | "unpaid"; date: string; plan: string } | undefined;
  /** Whether the customer portal has something to show. */
  canManage: boolean;
  /** Whether it can be switched and canceled there. */
  isPaid: boolean;
};

type SubscriptionPanelProps = {
  /** Undefined when it couldn't be read. */
  status: SubscriptionSummary | undefined;
  isChecked: boolean;
  problem: string | undefined;
  /** Whether plans can be bought. */
  canPay: boolean;
};

export function SubscriptionPanel({ status, isChecked, problem, canPay }: SubscriptionPanelProps) {
  const isChecking = useNavigation().formData?.get("intent") === "check";
  const unpaid = status?.change?.kind === "unpaid" ? status.change : undefined;
  return (
    <Panel title="Subscription">
      {problem && (
        <Notice tone="error" title={problem} className="mb-5">
          {status
            ? "This is the last known status. Try again in a moment."
            : "Nothing has changed. Try again in a moment."}
        </Notice>
      )}
      {status?.change?.kind === "failed" && (
        <Notice tone="warning" title={`Payment failed, update your card by ${status.change.date}`} className="mb-5">
          {status.change.plan} ends that day if the payment doesn’t succeed.
        </Notice>
      )}
      {unpaid && (
        <Notice
          tone="warning"
          title={`${unpaid.plan} ended on ${unpaid.date}, because a payment failed`}
          className="mb-5"
        >
          To get it back, press Manage subscription and update your card.
        </Notice>
      )}
      {status && <SubscriptionFacts {...status} />}
      {status?.canManage && (
        <p className="mt-4 text-sm text-muted">
          {status.isPaid
            ? "Switch between monthly and yearly, change your card or cancel in Stripe’s customer portal."
            : "Your card and billing address are in Stripe’s customer portal."}{" "}
          It opens in a new tab.
        </p>
      )}
      <div className="mt-5 flex flex-wrap items-center gap-2.5">
        {status?.canManage && <PortalForm />}
        {status && !unpaid && !(status.canManage && status.isSubscribed) && (status.isSubscribed || canPay) && (
          <ButtonLink size="s" variant={status.isSubscribed ? "quiet" : "main"} href="/pricing">
            {status.isSubscribed ? "Manage Plan" : "Upgrade to Pro"}
          </ButtonLink>
        )}
        <ActionButton fields={{ intent: "check" }} aria-disabled={isChecking}>
          Refresh
        </ActionButton>
        <p role="status" className="text-sm text-muted">
          {isChecking ? "Checking..." : isChecked && "Checked just now."}
        </p>
      </div>
    </Panel>
  );
}

function SubscriptionFacts({ isSubscribed, planName, change }: SubscriptionSummary) {
  return (
    <dl className={factsClass}>
      <dt>Status</dt>
      <dd>{isSubscribed ? <StatusBadge>Active</StatusBadge> : "None"}</dd>
      <dt>Plan</dt>
      <dd>{planName}</dd>
      {isSubscribed && <dt>{change?.kind === "renews" ? "Renews on" : "Ends on"}</dt>}
      {isSubscribed && <dd>{change?.date ?? "Never"}</dd>}
    </dl>
  );
}

/** Opens Stripe's customer portal in a new tab. */
function PortalForm() {
  return (
    <form method="post" action="/account/portal" target="_blank">
      <Button type="submit" size="s">
        Manage subscription
      </Button>
    </form>
  );
}

export function ExportPanel() {
  return (
    <Panel title="Your data">
      <p className="text-muted">Download your profile, cards, files, statistics and sign-ins as one ZIP file.</p>
      <ButtonLink size="s" href="/account/export" className="mt-4">
        Export your data
      </ButtonLink>
    </Panel>
  );
}

export function ProgramsPanel() {
  return (
    <Panel title="Webhooks and API keys">
      <p className="text-muted">
        Send new leads and other events to your own server or an automation service, and let programs read or change
        your data.
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <ButtonLink size="s" href="/webhooks">
          Webhooks
        </ButtonLink>
        <ButtonLink size="s" href="/account/api-keys">
          API keys
        </ButtonLink>
      </div>
    </Panel>
  );
}

export function DangerZonePanel() {
  return (
    <Panel title="Danger zone">
      <p className="text-muted">Permanently deletes your account, profile, cards, leads and files.</p>
      <ButtonLink variant="danger" size="s" href="/account/delete" className="mt-4">
        Delete account
      </ButtonLink>
    </Panel>
  );
}

/** A description list with the terms in one column, the same in every panel. */
export const factsClass =
  "grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-2.5 [&>dt]:text-muted [&>dd]:font-medium";
