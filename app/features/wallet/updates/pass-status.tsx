import type { ReactNode } from "react";

import { walletMessages } from "#app/features/wallet/messages.ts";
import { PassButton } from "#app/features/wallet/public/pass-button.tsx";
import type { OfferedWallets } from "#app/features/wallet/public/wallet-badges.tsx";
import { formatDate, formatNumber, formatTime } from "#app/services/base/format.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import type { GooglePassStatus, PassStatus as Status } from "./pass-status-data.server.ts";

/** For the owner of a card: how it is added to each wallet, who has it, and whether they have the last change. */
export function PassStatus({ cardId, path, offered, status, notify }: PassStatusProps) {
  const { devices, google } = status;
  const hasApple = offered.apple || devices > 0;
  const hasGoogle = offered.google || google !== undefined;
  if (!hasApple && !hasGoogle) return null;
  return (
    <Panel title="Wallet pass">
      {path === undefined && <p className="mb-4 text-muted">{walletMessages.hidden}</p>}
      <ul className="grid grid-cols-1 gap-5">
        {hasApple && (
          <WalletRow
            name="Apple Wallet"
            action={
              offered.apple &&
              path && (
                <PassButton cardId={cardId} href={`${path}/pass.pkpass`} notify={notify}>
                  Add to Apple Wallet
                </PassButton>
              )
            }
          >
            <AppleStatus {...status} />
          </WalletRow>
        )}
        {hasGoogle && (
          <WalletRow
            name="Google Wallet"
            action={
              offered.google &&
              path && (
                <ButtonLink size="s" href={`${path}/google-wallet`} target="_blank">
                  Add to Google Wallet
                </ButtonLink>
              )
            }
          >
            <GoogleStatus google={google} isOn={offered.google} />
          </WalletRow>
        )}
      </ul>
    </Panel>
  );
}

type PassStatusProps = {
  cardId: string;
  /** The public path of the card; undefined while visitors can't open it. */
  path: string | undefined;
  /** The wallets that passes can be made for. */
  offered: OfferedWallets;
  status: Status;
  notify: (toast: ToastContent) => void;
};

function WalletRow({ name, action, children }: { name: string; action: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <h3 className="font-medium">{name}</h3>
        {children}
      </div>
      {action && <div className="grid max-sm:w-full">{action}</div>}
    </li>
  );
}

function AppleStatus({ devices, waiting, updatedAt, problem }: Status) {
  return (
    <>
      <p className="text-sm text-muted">{devicesText(devices)}</p>
      {devices > 0 && <p className="text-sm text-muted">{updateText(updatedAt)}</p>}
      {waiting > 0 && (
        <p className="text-sm text-muted">
          {waiting === 1
            ? "The last change is on its way to 1 device."
            : `The last change is on its way to ${formatNumber(waiting)} devices.`}
        </p>
      )}
      {waiting > 0 && problem && <LateNotice>{problem}</LateNotice>}
    </>
  );
}

function GoogleStatus({ google, isOn }: { google: GooglePassStatus | undefined; isOn: boolean }) {
  if (!google) return <p className="text-sm text-muted">No one has added this pass yet.</p>;
  const { sentAt, isWaiting, problem } = google;
  const isLate = problem !== "" || (!isOn && isWaiting);
  return (
    <>
      <p className="text-sm text-muted">
        {sentAt === undefined
          ? "Google doesn’t have this pass yet."
          : `Google has this pass, last updated on ${timeText(sentAt)}.`}
      </p>
      {isWaiting && !isLate && <p className="text-sm text-muted">The last change is on its way to Google.</p>}
      {isLate && <LateNotice>{isOn ? problem : walletMessages.googleOff}</LateNotice>}
    </>
  );
}

function LateNotice({ children }: { children: string }) {
  return (
    <Notice tone="warning" title="The last update isn’t delivered yet" className="mt-3">
      {children}
    </Notice>
  );
}

function devicesText(devices: number): string {
  if (devices === 0) return "No device has this pass yet.";
  return devices === 1 ? "1 device has this pass." : `${formatNumber(devices)} devices have this pass.`;
}

function updateText(updatedAt: number | undefined): string {
  if (updatedAt === undefined) return "Nothing has changed on it since it was added.";
  return `Last update delivered on ${timeText(updatedAt)}.`;
}

function timeText(time: number): string {
  return `${formatDate(time)} at ${formatTime(time)} UTC`;
}
