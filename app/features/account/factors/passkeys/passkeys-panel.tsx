import { useState } from "react";
import { Form, useSubmit } from "react-router";

import type { Passkey } from "#app/services/auth/factors/passkeys.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { factorMessages } from "#app/features/account/factors/factor-messages.ts";
import { maxPasskeyName } from "#app/features/account/rules.ts";

/** The passkeys of an account. Adding one needs script; the rest doesn't. */
export function PasskeysPanel({ passkeys, canAdd }: { passkeys: readonly Passkey[]; canAdd: boolean }) {
  return (
    <Panel title="Passkeys">
      <p className="text-muted">
        Sign in with your fingerprint, face or screen lock instead of a password and a code. Nothing to steal or phish.
      </p>
      {passkeys.length > 0 && (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} {...passkey} />
          ))}
        </ul>
      )}
      {canAdd && <AddPasskey />}
    </Panel>
  );
}

function PasskeyItem({ id, name, isSynced, createdAt, lastUsedAt }: Passkey) {
  const used = lastUsedAt === undefined ? "not used yet" : `last used ${formatDate(lastUsedAt)}`;
  return (
    <li className="pt-3.5 pb-1.5">
      <p className="font-medium wrap-anywhere">{name}</p>
      <p className="text-sm text-pretty text-muted">
        {isSynced ? "Synced between your devices" : "On one device"}. Added {formatDate(createdAt)}, {used}.
      </p>
      <div className="mt-1 flex flex-wrap items-start gap-x-2.5">
        <details className="group/rename open:basis-full">
          <summary className={summaryClass} aria-label={`Rename ${name}`}>
            Rename
          </summary>
          <Form method="post" preventScrollReset className="grid gap-3 pt-1 pb-3">
            <input type="hidden" name="intent" value="rename-passkey" />
            <input type="hidden" name="id" value={id} />
            <Field label="Name" name="name" required maxLength={maxPasskeyName} defaultValue={name} />
            <Button type="submit" size="s" className="justify-self-start">
              Save name
            </Button>
          </Form>
        </details>
        <ActionButton
          fields={{ intent: "remove-passkey", id }}
          variant="plain"
          className="font-medium!"
          aria-label={`Remove ${name}`}
        >
          Remove
        </ActionButton>
      </div>
    </li>
  );
}

const summaryClass =
  "inline-flex min-h-11 cursor-pointer list-none items-center rounded-control px-3 -ms-3 text-sm font-medium text-muted hover:text-text " +
  "[&::-webkit-details-marker]:hidden";

function AddPasskey() {
  const isSupported = useBrowserValue(() => "PublicKeyCredential" in window, undefined);
  const submit = useSubmit();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const add = async () => {
    setState("busy");
    const credential = await createPasskey();
    if (credential === "elsewhere") return;
    if (credential === undefined) return setState("failed");
    await submit({ intent: "add-passkey", credential }, { method: "post", preventScrollReset: true });
    setState("idle");
  };
  if (!isSupported)
    return (
      <p className="mt-4 text-sm text-muted">Adding a passkey needs JavaScript and a browser that supports passkeys.</p>
    );
  return (
    <div className="mt-4 grid justify-items-start gap-4">
      {state === "failed" && (
        <Notice tone="error" title={factorMessages.passkeyRefused.title}>
          {factorMessages.passkeyRefused.text}
        </Notice>
      )}
      <Button size="s" aria-disabled={state === "busy"} onClick={() => state !== "busy" && void add()}>
        {state === "busy" ? "Waiting for your device..." : "Add a passkey"}
      </Button>
    </div>
  );
}

/**
 * Makes a passkey on this device and returns the response for the server as JSON: undefined if the user or the browser refused, "elsewhere"
 * when the browser is loading another page, where the user has to prove who they are first.
 */
async function createPasskey(): Promise<string | undefined> {
  try {
    const response = await fetch("/account/two-step/passkey", { method: "POST" });
    if (response.redirected) {
      location.assign(response.url);
      return "elsewhere";
    }
    if (!response.ok) return undefined;
    // Loaded when it is needed: other users of the page don't pay for it.
    const { startRegistration } = await import("@simplewebauthn/browser");
    return JSON.stringify(await startRegistration({ optionsJSON: await response.json() }));
  } catch {
    // Canceled, timed out, no connection, or the device has a passkey of this account.
    return undefined;
  }
}
