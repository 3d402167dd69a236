import { Time } from "#app/features/admin/admin-table.tsx";
import { maxReasonLength } from "#app/features/admin/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { ActionForm, UntilField, withError } from "./user-actions-panel.tsx";
import type { ActionProblem } from "./user-actions-panel.tsx";
import type { UserDetails } from "./user-details-data.server.ts";

type PlanPanelProps = Pick<UserDetails, "grant"> & { problem: ActionProblem | undefined };

/** Gives Premium, changes its end or takes it back. */
export function PlanPanel({ grant, problem }: PlanPanelProps) {
  const rejected = problem?.intent === "grant" ? problem : undefined;
  return (
    <Panel title="Premium">
      {grant ? <GrantFacts {...grant} /> : <p className="text-muted">Not granted by an operator.</p>}
      <div className="mt-5 divide-y divide-line border-t border-line [&>form]:py-5 [&>form:last-child]:pb-0">
        <ActionForm
          intent="grant"
          text={
            grant ? "Replaces this grant and mails the owner." : "Gives Premium without payment and mails the owner."
          }
        >
          <UntilField typed={rejected?.until ?? ""} error={rejected?.field === "until" ? rejected.error : undefined} />
          <Field
            label="Reason"
            name="reason"
            autoComplete="off"
            defaultValue={rejected?.reason ?? ""}
            limit={{ max: maxReasonLength }}
            hint="For operators only."
            {...withError(rejected?.field === "reason" ? rejected.error : undefined)}
          />
          <Button type="submit" size="s">
            {grant ? "Change Premium" : "Grant Premium"}
          </Button>
        </ActionForm>
        {grant && (
          <ActionForm
            intent="revoke"
            text="Unless they also pay, the oldest card stays public, the others are paused, and the owner gets an email. Nothing is deleted."
          >
            <Button variant="danger" type="submit" size="s">
              Revoke Premium
            </Button>
          </ActionForm>
        )}
      </div>
    </Panel>
  );
}

function GrantFacts({ endsAt, reason, at }: NonNullable<UserDetails["grant"]>) {
  return (
    <p className="wrap-anywhere">
      <span className="font-medium">
        Granted{" "}
        {endsAt === null ? (
          "without an end"
        ) : (
          <>
            until <Time at={endsAt} isDay />
          </>
        )}
      </span>
      {reason && (
        <span className="block" dir="auto">
          {reason}
        </span>
      )}
      {at > 0 && (
        <span className="block text-sm text-muted">
          On <Time at={at} isDay />
        </span>
      )}
    </p>
  );
}
