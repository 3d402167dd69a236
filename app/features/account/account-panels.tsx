import { Form, useNavigation } from "react-router";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Panel } from "#app/ui/panel.tsx";

/** What the database says of somebody's subscription; `renewsOn` is a date in words. */
export type SubscriptionWords = { isSubscribed: boolean; tier: string; renewsOn: string | undefined };

type SubscriptionProps = {
  /** Undefined: it could not be checked. */
  status: SubscriptionWords | undefined;
  isChecked: boolean;
  problem: string | undefined;
};

export function Subscription({ status, isChecked, problem }: SubscriptionProps) {
  const isChecking = useNavigation().formData?.get("intent") === "check";
  return (
    <Panel title="Subscription">
      {problem && (
        <Notice tone="error" title={problem} className="mb-5">
          {status
            ? "Shown is what was found last. Try again in a moment."
            : "Nothing has changed. Try again in a moment."}
        </Notice>
      )}
      {status && <Facts {...status} />}
      <div className="mt-5 flex flex-wrap items-center gap-2.5">
        {status && (
          <ButtonLink size="s" variant={status.isSubscribed ? "quiet" : "main"} href="/pricing">
            {status.isSubscribed ? "Manage Plan" : "Upgrade to Pro"}
          </ButtonLink>
        )}
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="check" />
          <Button type="submit" size="s" aria-disabled={isChecking}>
            Refresh
          </Button>
        </Form>
        <p role="status" className="text-sm text-muted">
          {isChecking ? "Checking..." : isChecked && "Checked just now."}
        </p>
      </div>
    </Panel>
  );
}

function Facts({ isSubscribed, tier, renewsOn }: SubscriptionWords) {
  return (
    <dl className={facts}>
      <dt>Status</dt>
      <dd>{isSubscribed ? <span className={badge}>Active</span> : "None"}</dd>
      <dt>Plan</dt>
      <dd>{tier}</dd>
      {isSubscribed && <dt>Renews on</dt>}
      {isSubscribed && <dd>{renewsOn ?? "No date: nothing is charged for it"}</dd>}
    </dl>
  );
}

export function BillingHistory({ canPay }: { canPay: boolean }) {
  return (
    <Panel title="Billing history">
      <EmptyState
        title="No invoices"
        text={
          canPay
            ? "They are listed here once something was paid."
            : "Premium is not on sale yet, so nothing was ever charged."
        }
      />
    </Panel>
  );
}

export function DangerZone() {
  return (
    <Panel title="Danger zone">
      <p className="text-muted">Deletes your account, your profile, your cards and your files for good.</p>
      <ButtonLink variant="danger" size="s" href="/account/delete" className="mt-4">
        Delete account
      </ButtonLink>
    </Panel>
  );
}

/** Names in one column, what they are in the next: alike in every panel of the account. */
export const facts =
  "grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-2.5 [&>dt]:text-muted [&>dd]:font-medium";
const badge =
  "inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 text-xs leading-5.5 text-success before:size-1.5 before:rounded-full before:bg-current";
