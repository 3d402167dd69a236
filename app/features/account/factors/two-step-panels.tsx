import type { Factors, TrustedBrowser } from "#app/services/auth/factors/second-factors.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Panel, StatusBadge } from "#app/ui/components/panel.tsx";

/** Whether two-step verification is on, and the authenticator app. */
export function StatusPanel({ isOn, hasApp, passkeyCount, canUsePasskeys }: Factors & { canUsePasskeys: boolean }) {
  return (
    <Panel title="Second step" aside={isOn ? <StatusBadge>On</StatusBadge> : "Off"}>
      <p className="text-muted">{isOn ? describe({ hasApp, passkeyCount }) : offText(canUsePasskeys)}</p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:*:grow">
        <ActionButton
          fields={{ intent: "start-app" }}
          formProps={{ className: "grid", preventScrollReset: false }}
          variant={isOn ? "quiet" : "main"}
        >
          {hasApp ? "Replace authenticator app" : "Set up authenticator app"}
        </ActionButton>
        {!isOn && canUsePasskeys && passkeyCount > 0 && (
          <ActionButton fields={{ intent: "turn-on" }} formProps={{ className: "grid", preventScrollReset: false }}>
            Turn on with passkeys only
          </ActionButton>
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
                <ActionButton fields={{ intent: "untrust", browser: id }} aria-label={`Stop trusting ${browser}`}>
                  Stop trusting
                </ActionButton>
              </li>
            ))}
          </ul>
          {browsers.length > 1 && (
            <ActionButton fields={{ intent: "untrust" }} formProps={{ className: "mt-5", preventScrollReset: false }}>
              Stop trusting all
            </ActionButton>
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
      <ActionButton
        fields={{ intent: "turn-off" }}
        formProps={{ className: "mt-4", preventScrollReset: false }}
        variant="danger"
      >
        Turn off two-step verification
      </ActionButton>
    </Panel>
  );
}
