import { Form } from "react-router";

import type { Factors, TrustedBrowser } from "#app/services/auth/factors/second-factors.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

/** Whether two-step verification is on, and the authenticator app. */
export function StatusPanel({ isOn, hasApp, passkeyCount, canUsePasskeys }: Factors & { canUsePasskeys: boolean }) {
  return (
    <Panel title="Second step" aside={isOn ? <span className={badgeClass}>On</span> : "Off"}>
      <p className="text-muted">{isOn ? describe({ hasApp, passkeyCount }) : offText(canUsePasskeys)}</p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:*:grow">
        <Form method="post" className="grid">
          <input type="hidden" name="intent" value="start-app" />
          <Button type="submit" size="s" variant={isOn ? "quiet" : "main"}>
            {hasApp ? "Replace authenticator app" : "Set up authenticator app"}
          </Button>
        </Form>
        {!isOn && canUsePasskeys && passkeyCount > 0 && (
          <Form method="post" className="grid">
            <input type="hidden" name="intent" value="turn-on" />
            <Button type="submit" size="s">
              Turn on with passkeys only
            </Button>
          </Form>
        )}
      </div>
    </Panel>
  );
}

function offText(canUsePasskeys: boolean): string {
  const passkey = canUsePasskeys ? " or use a passkey" : "";
  return `After your password, you’ll enter a code from an app on your phone${passkey}. That way, a stolen password isn’t enough to sign in. Turning it on signs out all your other browsers.`;
}

function describe({ hasApp, passkeyCount }: Pick<Factors, "hasApp" | "passkeyCount">): string {
  const passkeys = passkeyCount === 1 ? "your passkey" : "one of your passkeys";
  if (!hasApp) return `When you sign in, you also use ${passkeys}.`;
  return `When you sign in, you also enter a code from your authenticator app${passkeyCount > 0 ? ` or use ${passkeys}` : ""}.`;
}

/** Browsers that aren't asked for the second step, each until a date. */
export function TrustedBrowsersPanel({ browsers }: { browsers: readonly TrustedBrowser[] }) {
  return (
    <Panel title="Trusted browsers">
      {browsers.length === 0 ? (
        <p className="text-muted">None. When you sign in, you can choose to trust a browser for 30 days.</p>
      ) : (
        <>
          <ul className="-mt-2 -mb-2.5 divide-y divide-line">
            {browsers.map(({ id, browser, until }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-3.5">
                <div>
                  <p className="font-medium">{browser}</p>
                  <p className="text-sm text-muted">Trusted until {formatDate(until)}</p>
                </div>
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="untrust" />
                  <input type="hidden" name="browser" value={id} />
                  <Button type="submit" size="s" aria-label={`Stop trusting ${browser}`}>
                    Stop trusting
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
          {browsers.length > 1 && (
            <Form method="post" className="mt-5">
              <input type="hidden" name="intent" value="untrust" />
              <Button type="submit" size="s">
                Stop trusting all
              </Button>
            </Form>
          )}
        </>
      )}
    </Panel>
  );
}

export function TurnOffPanel() {
  return (
    <Panel title="Turn off">
      <p className="text-muted">
        Only your password will protect your account. Your backup codes and trusted browsers will be removed. Your
        passkeys stay.
      </p>
      <Form method="post" className="mt-4">
        <input type="hidden" name="intent" value="turn-off" />
        <Button type="submit" size="s" variant="danger">
          Turn off two-step verification
        </Button>
      </Form>
    </Panel>
  );
}

const badgeClass =
  "inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 text-xs leading-5.5 text-success before:size-1.5 before:rounded-full before:bg-current";
