import type { ReactNode } from "react";

import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import type { WebhookKind } from "#app/features/webhooks/rules.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

type OffProps = {
  offReason: "owner" | "gone" | "failing" | undefined;
  failing: { since: string; end: string } | undefined;
  paused: { text: string; next: string | undefined } | undefined;
};

/** Why nothing is sent, or may soon not be. `unreadable`: the reason, when its address or secret can't be decrypted. */
export function OffNotice({ unreadable, offReason, failing, paused }: OffProps & { unreadable: string | undefined }) {
  if (unreadable)
    return (
      <Notice tone="error" title={messages.unreadable.title}>
        {unreadable}
      </Notice>
    );
  if (offReason === "gone")
    return (
      <Notice tone="warning" title="Switched off: the server answered 410 Gone">
        It doesn’t want messages anymore. Switch the webhook on if that was a mistake.
      </Notice>
    );
  if (offReason === "failing")
    return (
      <Notice tone="warning" title="Switched off after five days without success">
        Repair your server, send a test, and switch the webhook on. Then you can send again what failed.
      </Notice>
    );
  if (offReason || !failing) return null;
  return (
    <Notice tone="warning" title={`No message has arrived since ${failing.since}`}>
      {paused &&
        `${paused.text} ${paused.next ? `The next attempt is on ${paused.next}, or when you press Send again.` : "The next attempt is in a moment."} `}
      Without a success it is switched off on {failing.end}.
    </Notice>
  );
}

/** Where developers read how to check the signature. */
export function SignatureHint() {
  return (
    <p className="mb-4 text-muted">
      Your server checks with it that messages come from us, as{" "}
      <a href="https://www.standardwebhooks.com" rel="noreferrer" className="underline">
        Standard Webhooks
      </a>{" "}
      describes. There are libraries for most languages. <DocsLink>What your server gets and how it answers</DocsLink>
    </p>
  );
}

/** Where developers read what is sent. */
export function DocsLink({ children }: { children: ReactNode }) {
  return (
    <a href="/docs#webhooks" className="underline">
      {children}
    </a>
  );
}

export function SwitchForm({ isOn }: { isOn: boolean }) {
  return (
    <form method="post" className="grid">
      <Button type="submit" size="s" name="intent" value={isOn ? "off" : "on"}>
        {isOn ? "Switch off" : "Switch on"}
      </Button>
    </form>
  );
}

export function TestPanel({ kinds }: { kinds: readonly WebhookKind[] }) {
  return (
    <Panel title="Test">
      <ChoiceForm
        name="kind"
        label="Event"
        options={kinds.map((kind) => [kind, messages.kinds[kind]])}
        intent="test"
        button="Send test"
      />
      <p className="mt-3 text-sm text-muted">Sends made-up details once and shows the answer.</p>
    </Panel>
  );
}

/** Sends again what failed. */
export function ResendForm() {
  return (
    <ChoiceForm
      name="since"
      label="Send again all that failed in"
      options={[
        ["1", "the last hour"],
        ["24", "the last 24 hours"],
        ["168", "the last 7 days"],
        ["720", "the last 30 days"],
      ]}
      intent="resend-failed"
      button="Send again"
    />
  );
}

type ChoiceFormProps = {
  name: string;
  label: string;
  /** Values and their texts; the first one is chosen. */
  options: readonly (readonly [value: string, text: string])[];
  intent: string;
  button: string;
};

/** A choice with the button that sends it. */
function ChoiceForm({ name, label, options, intent, button }: ChoiceFormProps) {
  return (
    <form method="post" className="flex flex-wrap items-end gap-2.5">
      <span className="grow basis-60">
        <SelectField id={name} name={name} label={label} value={options[0]?.[0] ?? ""} options={options} />
      </span>
      <Button type="submit" name="intent" value={intent} className="min-h-12.5 max-sm:grow">
        {button}
      </Button>
    </form>
  );
}

export function DeletePanel() {
  return (
    <details className="group rounded-card border border-line bg-raised">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-card p-5 font-semibold focus-visible:-outline-offset-2 sm:px-6.5 [&::-webkit-details-marker]:hidden">
        Delete webhook
        <Chevron className="group-open:rotate-180" />
      </summary>
      <p className="px-5 text-muted sm:px-6.5">
        Deletes the address, its secret and its messages. Nothing more is sent.
      </p>
      <form method="post" className="px-5 pt-4 pb-5 sm:px-6.5 sm:pb-6.5">
        <Button type="submit" size="s" variant="danger" name="intent" value="delete">
          Delete webhook
        </Button>
      </form>
    </details>
  );
}
