import type { RunningInstance, Status } from "./data.server.ts";
import { checkNames } from "./rules.ts";
import type { CheckName, CheckState } from "./rules.ts";
import { percentOf } from "./uptime.ts";
import type { Day, Stretch, Tally } from "./uptime.ts";

/** `unknown`: nobody has looked lately. */
export type ReportState = "well" | "failing" | "unknown";

/** What the page shows and /status.json says; times in epoch milliseconds. */
export type Report = {
  state: ReportState;
  now: number;
  checks: CheckReport[];
  instances: InstanceReport[];
  /** Undefined until the first minute is over. */
  uptime: (Tally & { percent: number; since: number }) | undefined;
  /** The oldest first; none while there is no uptime. */
  days: Day[];
  /** The latest first. */
  stretches: Stretch[];
};

export type CheckReport = {
  name: CheckName;
  state: CheckState | "unknown";
  /** On so many of the processes that run. */
  failingOn: number;
  lookedAt: number | undefined;
};

export type InstanceReport = {
  /** The beginning of a random id, as the log has it. */
  id: string;
  state: "well" | "failing";
  startedAt: number;
  lookedAt: number;
};

export function makeReport({ now, running, measured }: Status): Report {
  const instances = running.map(reportInstance);
  return {
    state: stateOf(instances),
    now,
    checks: checkNames.map((name) => reportCheck(name, running)),
    instances,
    uptime: measured && { ...measured.total, percent: percentOf(measured.total), since: measured.since },
    days: measured?.days ?? [],
    stretches: measured?.stretches.toReversed().slice(0, MOST_STRETCHES) ?? [],
  };
}

/** What can be said while the records can't be read: that they can't. */
export function reportUnread(now: number): Report {
  const unknown = checkNames.map((name) => reportCheck(name, []));
  const checks = unknown.map((check) => (check.name === "database" ? { ...check, state: "failing" as const } : check));
  return { state: "failing", now, checks, instances: [], uptime: undefined, days: [], stretches: [] };
}

const MOST_STRETCHES = 12;

function stateOf(instances: readonly InstanceReport[]): ReportState {
  if (instances.length === 0) return "unknown";
  return instances.some(({ state }) => state === "failing") ? "failing" : "well";
}

function reportInstance({ id, startedAt, lookedAt, found }: RunningInstance): InstanceReport {
  const isFailing = Object.values(found).includes("failing");
  return { id: id.slice(0, 8), state: isFailing ? "failing" : "well", startedAt, lookedAt };
}

/** The worst that any process found. */
function reportCheck(name: CheckName, running: readonly RunningInstance[]): CheckReport {
  const states = running.map(({ found }) => found[name]);
  const state = (["failing", "well", "unset"] as const).find((one) => states.includes(one)) ?? "unknown";
  const failingOn = states.filter((one) => one === "failing").length;
  const lookedAt = running.length > 0 ? Math.max(...running.map((instance) => instance.lookedAt)) : undefined;
  return { name, state, failingOn, lookedAt };
}
