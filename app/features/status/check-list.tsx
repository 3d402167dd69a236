import { formatDate, formatTime } from "#app/services/base/format.ts";
import { ToneIcon } from "#app/ui/components/notice.tsx";
import type { Tone } from "#app/ui/components/notice.tsx";

import { checkLabels } from "./messages.ts";
import type { CheckReport, InstanceReport } from "./report.server.ts";

/** Each check with its current state and the time of the last run. */
export function CheckList({ checks, processes }: { checks: readonly CheckReport[]; processes: number }) {
  return (
    <ul>
      {checks.map(({ name, state, failingOn, checkedAt }) => (
        <CheckRow
          key={name}
          name={checkLabels[name].name}
          description={checkLabels[name].description}
          tone={stateTones[state]}
          state={state === "failing" && processes > 1 ? `Failing on ${failingOn} of ${processes}` : stateLabels[state]}
          checkedAt={state === "unset" ? undefined : checkedAt}
        />
      ))}
    </ul>
  );
}

/** The running processes, by the first characters of their random ids. */
export function InstanceList({ instances }: { instances: readonly InstanceReport[] }) {
  return (
    <ul>
      {instances.map(({ id, state, startedAt, checkedAt }) => (
        <CheckRow
          key={id}
          name={`Process ${id}`}
          description={`Running since ${formatDate(startedAt)}, ${formatTime(startedAt)} UTC`}
          tone={stateTones[state]}
          state={stateLabels[state]}
          checkedAt={checkedAt}
        />
      ))}
    </ul>
  );
}

type CheckRowProps = { name: string; description: string; tone: Tone; state: string; checkedAt: number | undefined };

function CheckRow({ name, description, tone, state, checkedAt }: CheckRowProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-6 border-t border-line py-4">
      <p className="font-medium">{name}</p>
      <p className="flex items-center justify-end gap-2">
        <ToneIcon tone={tone} />
        {state}
      </p>
      <p className="text-sm text-muted">{description}</p>
      {checkedAt !== undefined && (
        <p className="text-end text-sm text-muted tabular-nums">{formatTime(checkedAt)} UTC</p>
      )}
    </li>
  );
}

const stateTones: Record<CheckReport["state"], Tone> = {
  well: "success",
  failing: "error",
  low: "warning",
  unset: "info",
  unknown: "info",
};

const stateLabels: Record<CheckReport["state"], string> = {
  well: "Operational",
  failing: "Failing",
  low: "Low disk space",
  unset: "Not set up",
  unknown: "Unknown",
};
