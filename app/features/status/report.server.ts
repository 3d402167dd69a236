import { withTimeout } from "#app/services/base/time-limit.ts";
import type { Services } from "#app/services/http/context.ts";

import { readReadiness } from "./checks/write-checks.server.ts";
import type { Readiness } from "./checks/write-checks.server.ts";
import { cachedRead } from "./cached-read.ts";
import { readStatus } from "./data.server.ts";
import type { RunningInstance, Status } from "./data.server.ts";
import { checkNames } from "./rules.ts";
import type { CheckName, CheckState } from "./rules.ts";
import { uptimePercent } from "./uptime.ts";
import type { DayCounts, Incident, MinuteCounts } from "./uptime.ts";

/** The current report. `isRead` is false when the database doesn't answer in time. */
export async function loadReport(services: Services): Promise<{ report: Report; isRead: boolean }> {
  const { db, clock, clockCheck, log } = services;
  const now = clock() - clockCheck.ahead();
  try {
    const [status, readiness] = await Promise.all([
      withTimeout(readTimeoutMs, readCachedStatus(db, now)),
      // By the clock of /readyz, with which it shares what is cached.
      readReadiness(services, clock()),
    ]);
    return { report: withReadiness(makeReport(status), readiness), isRead: true };
  } catch (error) {
    log.error({ err: error }, "the status can't be read");
    return { report: unreadReport(now), isRead: false };
  }
}

const readTimeoutMs = 3_000;
/** Reading takes three days of minutes, and every visitor can request it. */
const readCachedStatus = cachedRead(5_000, readStatus);

/** `unknown`: no process has run its checks lately. */
export type ReportState = "well" | "failing" | "unknown";

/** The content of the page and of /status.json; times in epoch milliseconds. */
export type Report = {
  state: ReportState;
  now: number;
  checks: CheckReport[];
  instances: InstanceReport[];
  /** Undefined until the first minute is over. */
  uptime: (MinuteCounts & { percent: number; since: number }) | undefined;
  /** Oldest first; empty while there is no uptime. */
  days: DayCounts[];
  /** Latest first. */
  incidents: Incident[];
};

export type CheckReport = {
  name: CheckName;
  /** `low`: there is little disk space left. */
  state: CheckState | "low" | "unknown";
  /** The number of running processes on which it fails. */
  failingOn: number;
  checkedAt: number | undefined;
};

export type InstanceReport = {
  /** The first eight characters of the id in the log. */
  id: string;
  state: "well" | "failing";
  startedAt: number;
  checkedAt: number;
};

export function makeReport({ now, running, measured }: Status): Report {
  const instances = running.map(reportInstance);
  return {
    state: stateOf(instances),
    now,
    checks: checkNames.map((name) => reportCheck(name, running)),
    instances,
    uptime: measured && { ...measured.total, percent: uptimePercent(measured.total), since: measured.since },
    days: measured?.days ?? [],
    incidents: measured?.incidents.toReversed().slice(0, maxIncidents) ?? [],
  };
}

/** The report while the database can't be read. */
export function unreadReport(now: number): Report {
  const unknown = checkNames.map((name) => reportCheck(name, []));
  const checks = unknown.map((check) => (check.name === "database" ? { ...check, state: "failing" as const } : check));
  return { state: "failing", now, checks, instances: [], uptime: undefined, days: [], incidents: [] };
}

/** Adds what this process finds now: one that can't write can't record that either. */
function withReadiness(report: Report, readiness: Readiness): Report {
  const checks = report.checks.map((check) => {
    const state = check.name === "database" || check.name === "files" ? readiness[check.name] : "well";
    if (state === "well" || check.state === "failing") return check;
    return { ...check, state, failingOn: state === "failing" ? 1 : 0, checkedAt: report.now };
  });
  return { ...report, checks, state: Object.values(readiness).includes("failing") ? "failing" : report.state };
}

const maxIncidents = 12;

function stateOf(instances: readonly InstanceReport[]): ReportState {
  if (instances.length === 0) return "unknown";
  return instances.some(({ state }) => state === "failing") ? "failing" : "well";
}

function reportInstance({ id, startedAt, checkedAt, results }: RunningInstance): InstanceReport {
  const isFailing = Object.values(results).includes("failing");
  return { id: id.slice(0, 8), state: isFailing ? "failing" : "well", startedAt, checkedAt };
}

/** The worst result of all processes. */
function reportCheck(name: CheckName, running: readonly RunningInstance[]): CheckReport {
  const states = running.map(({ results }) => results[name]);
  const state = (["failing", "well", "unset"] as const).find((one) => states.includes(one)) ?? "unknown";
  const failingOn = states.filter((one) => one === "failing").length;
  const checkedAt = running.length > 0 ? Math.max(...running.map((instance) => instance.checkedAt)) : undefined;
  return { name, state, failingOn, checkedAt };
}
