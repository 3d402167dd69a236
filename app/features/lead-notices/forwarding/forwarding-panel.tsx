import { Form } from "react-router";

import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

type ForwardingPanelProps = {
  forwards: readonly { id: string; address: string; state: string; error: string | undefined }[];
  canAdd: boolean;
  rejected: { typed: string; error: string } | undefined;
  isBusy: boolean;
};

/** The addresses that get each lead. */
export function ForwardingPanel({ forwards, canAdd, rejected, isBusy }: ForwardingPanelProps) {
  return (
    <Panel title="Forward by email" id="forwarding">
      <div className="grid gap-5">
        <div className="grid gap-1 text-sm text-muted">
          <p>Sends each new lead with a contact file to a colleague or a CRM.</p>
          <details>
            <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 hover:text-text">
              Who sees what
            </summary>
            <p>
              The email has all details. Your forms then say that details also go to colleagues and services. Leads
              whose visitors agreed to an earlier text stay with you.
            </p>
          </details>
        </div>
        {forwards.length > 0 && <AddressList forwards={forwards} isBusy={isBusy} />}
        {canAdd && <AddressForm key={forwards.length} rejected={rejected} isBusy={isBusy} />}
      </div>
    </Panel>
  );
}

function AddressList({ forwards, isBusy }: Pick<ForwardingPanelProps, "forwards" | "isBusy">) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {forwards.map(({ id, address, state, error }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="grid min-w-0 gap-0.5">
            <p className="font-medium wrap-anywhere">{address}</p>
            <p className="text-sm text-muted">{state}</p>
            {error && <p className="text-sm text-error wrap-anywhere">{error}</p>}
          </div>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Button
              type="submit"
              size="s"
              name="intent"
              value="remove-forward"
              aria-label={`Remove ${address}`}
              aria-disabled={isBusy}
            >
              Remove
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function AddressForm({ rejected, isBusy }: Pick<ForwardingPanelProps, "rejected" | "isBusy">) {
  return (
    <Form method="post" preventScrollReset noValidate className="grid gap-4">
      <Field
        label="Email address"
        type="email"
        name="address"
        autoComplete="off"
        defaultValue={rejected?.typed}
        hint="Someone there has to confirm it before anything is sent."
        {...(rejected && { error: rejected.error })}
      />
      <Button
        type="submit"
        size="s"
        name="intent"
        value="add-forward"
        aria-disabled={isBusy}
        className="justify-self-start"
      >
        Add address
      </Button>
    </Form>
  );
}
