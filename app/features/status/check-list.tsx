import { ToneIcon } from "#app/ui/tone-icon.tsx";
import type { Tone } from "#app/ui/tone-icon.tsx";

import type { CheckReport, InstanceReport } from "./report.ts";
import { checkWords, clockWords, dateWords } from "./words.ts";

/** Each check with its state now and when somebody looked last. */
export function CheckList({ checks, processes }: { checks: readonly CheckReport[]; processes: number }) {
  return (
    <ul>
      {checks.map(({ name, state, failingOn, lookedAt }) => (
        <Row
          key={name}
          name={checkWords[name].name}
          about={checkWords[name].does}
          tone={tones[state]}
          state={state === "failing" && processes > 1 ? `Failing on ${failingOn} of ${processes}` : stateWords[state]}
          lookedAt={state === "unset" ? undefined : lookedAt}
        />
      ))}
    </ul>
  );
}

/** The processes that run now, by the beginnings of their random ids. */
export function InstanceList({ instances }: { instances: readonly InstanceReport[] }) {
  return (
    <ul>
      {instances.map(({ id, state, startedAt, lookedAt }) => (
        <Row
          key={id}
          name={`Process ${id}`}
          about={`Runs since ${dateWords(startedAt)}, ${clockWords(startedAt)} UTC`}
          tone={tones[state]}
          state={stateWords[state]}
          lookedAt={lookedAt}
        />
      ))}
    </ul>
  );
}

type RowProps = { name: string; about: string; tone: Tone; state: string; lookedAt: number | undefined };

function Row({ name, about, tone, state, lookedAt }: RowProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-6 border-t border-line py-4">
      <p className="font-medium">{name}</p>
      <p className="flex items-center justify-end gap-2">
        <ToneIcon tone={tone} />
        {state}
      </p>
      <p className="text-sm text-muted">{about}</p>
      {lookedAt !== undefined && <p className="text-end text-sm text-muted tabular-nums">{clockWords(lookedAt)} UTC</p>}
    </li>
  );
}

const tones: Record<CheckReport["state"], Tone> = { well: "success", failing: "error", unset: "info", unknown: "info" };

const stateWords: Record<CheckReport["state"], string> = {
  well: "Well",
  failing: "Failing",
  unset: "Not set up",
  unknown: "Not known",
};
