import { Form } from "react-router";

import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

type ForwardingPanelProps = {
  forwards: readonly { id: string; address: string; state: string; error: string | undefined }[];
  canAdd: boolean;
  /** An address that wasn't added yet. */
  typed: string | undefined;
  /** Why it can't be added. */
  error: string | undefined;
  /** The owner comes back from the proof that a new address asks for. */
  isConfirmed: boolean;
  isBusy: boolean;
};

/** The addresses that get each lead. */
export function ForwardingPanel({ forwards, canAdd, typed, error, isConfirmed, isBusy }: ForwardingPanelProps) {
  return (
    <Panel title="Forward by email" id="forwarding">
      <div className="grid gap-5">
        <div className="grid gap-1 text-sm text-muted">
          <p>Sends each new lead, with a contact file, to a colleague or a CRM.</p>
          <details>
            <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 hover:text-text">
              What gets shared
            </summary>
            <p>
              The email has all details. Your forms then say that details also go to colleagues and services. Leads
              whose visitors agreed to an earlier text stay with you.
            </p>
          </details>
        </div>
        {forwards.length > 0 && <AddressList forwards={forwards} isBusy={isBusy} />}
        {canAdd && isConfirmed && <ConfirmedNotice button="Add address" />}
        {canAdd && <AddressForm key={forwards.length} typed={typed} error={error} isBusy={isBusy} />}
      </div>
    </Panel>
  );
}

function AddressList({ forwards, isBusy }: Pick<ForwardingPanelProps, "forwards" | "isBusy">) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {forwards.map(({ id, address, state, error }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
            <p className="font-medium wrap-anywhere">{address}</p>
            <p className="text-sm text-muted">{state}</p>
            {error && <p className="text-sm text-error wrap-anywhere">{error}</p>}
          </div>
          <ActionButton
            fields={{ intent: "remove-forward", id }}
            aria-label={`Remove ${address}`}
            aria-disabled={isBusy}
          >
            Remove
          </ActionButton>
        </li>
      ))}
    </ul>
  );
}

function AddressForm({ typed, error, isBusy }: Pick<ForwardingPanelProps, "typed" | "error" | "isBusy">) {
  return (
    <Form method="post" preventScrollReset noValidate className="grid gap-4">
      <Field
        label="Email address"
        type="email"
        name="address"
        autoComplete="off"
        defaultValue={typed}
        hint="We’ll ask that address to confirm first."
        {...(error && { error })}
      />
      <Button
        type="submit"
        size="s"
        name="intent"
        value="add-forward"
        aria-disabled={isBusy}
        className="sm:justify-self-start"
      >
        Add address
      </Button>
    </Form>
  );
}
