import { findDailyBackup } from "#app/services/backup/last-backup.server.ts";
import { withTimeout } from "#app/services/base/time-limit.ts";
import type { Services } from "#app/services/http/context.ts";

import { cachedRead } from "./cached-read.ts";
import { readReadiness } from "./checks.server.ts";
import type { Readiness } from "./checks.server.ts";
import { readStatus } from "./data.server.ts";
import type { RunningInstance, Status } from "./data.server.ts";
import { checkNames, uptimePercent } from "./rules.ts";
import type { CheckName, CheckState, DayCounts, Incident, MinuteCounts } from "./rules.ts";

/** The current report. `isRead` is false when the database doesn't answer in time. */
export async function loadReport(services: Services): Promise<{ report: Report; isRead: boolean }> {
  const { db, clock, clockCheck, log } = services;
  const now = clock() - clockCheck.ahead();
  try {
    const [status, backup, readiness] = await Promise.all([
      withTimeout(readTimeoutMs, readCachedStatus(db, now)),
      withTimeout(readTimeoutMs, readBackup(services, now)),
      // By the clock of /readyz, with which it shares what is cached.
      readReadiness(services, clock()),
    ]);
    return { report: { ...makeReport(status, readiness), backup }, isRead: true };
  } catch (error) {
    log.error({ err: error }, "the status cannot be read");
    const report = makeReport({ now, running: [], measured: undefined }, { database: "failing" });
    const checks = report.checks.map((check) => ({ ...check, failingOn: 0, checkedAt: undefined }));
    return { report: { ...report, checks }, isRead: false };
  }
}

const readTimeoutMs = 3_000;
/** Every visitor can request it. */
const readCachedStatus = cachedRead(5_000, readStatus);
const readBackup = cachedRead(5_000, findDailyBackup);

/** `low`: there is little disk space left. `unknown`: no process has run its checks lately. */
export type ReportState = CheckState | "low" | "unknown";

/** The content of the page and of /status.json; times in epoch milliseconds. */
export type Report = {
  /** Never `low` or `unset`. */
  state: ReportState;
  now: number;
  checks: CheckReport[];
  instances: InstanceReport[];
  /** Undefined until the first minute is over. */
  uptime: ({ percent: number; since: number } & MinuteCounts) | undefined;
  /** Oldest first; empty while there is no uptime. */
  days: DayCounts[];
  /** Latest first. */
  incidents: Incident[];
  /** The last backup that was made and checked, where there is one every day. */
  backup?: { createdAt: number; days: number } | undefined;
};

/** `failingOn`: the number of running processes on which it fails. */
export type CheckReport = { name: CheckName; state: ReportState; failingOn: number; checkedAt: number | undefined };

/** `id`: the first eight characters of the id in the log. */
export type InstanceReport = { id: string; state: ReportState; startedAt: number; checkedAt: number };

/** What the processes recorded, and what this process finds now: one that can't write can't record that either. */
function makeReport({ now, running, measured }: Status, readiness: Partial<Readiness>): Report {
  const instances = running.map(({ id, results, startedAt, checkedAt }): InstanceReport => {
    return { id: id.slice(0, 8), state: worst(Object.values(results)), startedAt, checkedAt };
  });
  const isReady = !Object.values(readiness).includes("failing");
  return {
    state: isReady ? worst(instances.map(({ state }) => state)) : "failing",
    now,
    checks: checkNames.map((name) => {
      const check = reportCheck(name, running);
      const found = name === "database" || name === "files" ? (readiness[name] ?? "well") : "well";
      if (found === "well" || check.state === "failing") return check;
      return { ...check, state: found, failingOn: found === "failing" ? 1 : 0, checkedAt: now };
    }),
    instances,
    uptime: measured && { percent: uptimePercent(measured.total), since: measured.since, ...measured.total },
    days: measured?.days ?? [],
    incidents: measured?.incidents.toReversed().slice(0, maxIncidents) ?? [],
  };
}

const maxIncidents = 12;

function reportCheck(name: CheckName, running: readonly RunningInstance[]): CheckReport {
  const states = running.map(({ results }) => results[name]);
  const checkedAt = running.length > 0 ? Math.max(...running.map((instance) => instance.checkedAt)) : undefined;
  return { name, state: worst(states), failingOn: states.filter((one) => one === "failing").length, checkedAt };
}

function worst(states: readonly ReportState[]): ReportState {
  return (["failing", "well", "unset"] as const).find((one) => states.includes(one)) ?? "unknown";
}
