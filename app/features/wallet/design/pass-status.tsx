import { formatDate, formatNumber, formatTime } from "#app/services/base/format.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { PassStatus as Status } from "#app/features/wallet/updates/pass-status-data.server.ts";

/** For the owner of a card: how many devices have its pass, and whether they have the last change. */
export function PassStatus({ devices, waiting, updatedAt, problem }: Status) {
  return (
    <Panel title="Wallet pass">
      <p>{devicesText(devices)}</p>
      {devices > 0 && <p className="mt-1 text-muted">{updateText(updatedAt)}</p>}
      {waiting > 0 && (
        <p className="mt-1 text-muted">
          {waiting === 1
            ? "The last change is on its way to 1 device."
            : `The last change is on its way to ${formatNumber(waiting)} devices.`}
        </p>
      )}
      {waiting > 0 && problem && (
        <Notice tone="warning" title="The last update isn't delivered yet" className="mt-4">
          {problem}
        </Notice>
      )}
    </Panel>
  );
}

function devicesText(devices: number): string {
  if (devices === 0) return "No device has this pass yet.";
  return devices === 1 ? "1 device has this pass." : `${formatNumber(devices)} devices have this pass.`;
}

function updateText(updatedAt: number | undefined): string {
  if (updatedAt === undefined) return "Nothing has changed on it since it was added.";
  return `Last update delivered on ${formatDate(updatedAt)} at ${formatTime(updatedAt)} UTC.`;
}
