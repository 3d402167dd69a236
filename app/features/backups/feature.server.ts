import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

import { findLastBackup } from "#app/services/backup/last-backup.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

/** Makes the backup of each day, where BACKUP is daily. */
export const feature: Feature = { start: startDailyBackups };

const hourMs = 60 * 60_000;
/** When the day of backups begins, after midnight UTC. */
const backupTimeMs = 3 * hourMs;
const checkIntervalMs = 10 * 60_000;

/** One of all processes tries at a time, and again after three hours if it failed. */
const daily = { name: "daily backup", max: 1, windowMs: 3 * hourMs, isExpected: true } as const;

function startDailyBackups(services: Services): { stop(): Promise<void> } {
  const { config, backupProgram, log } = services;
  let child: ChildProcess | undefined;
  let isStopped = false;

  async function check() {
    if (child || backupProgram === undefined || !(await isDue(services)) || isStopped) return;
    if (await services.rateLimits.consume([{ limit: daily, subject: "all" }])) return;
    // In a process of its own: reading everything would slow down this one.
    child = spawn(process.execPath, [backupProgram, "backup"], { stdio: ["ignore", "pipe", "pipe"] });
    log.info({ outcome: await outcomeOf(child) }, "daily backup");
  }

  const run = () =>
    void check()
      .catch((error: unknown) => {
        if (!isStopped) log.error({ err: error }, "the daily backup failed; it is tried again within three hours");
      })
      .finally(() => (child = undefined));
  if (config.backup === "daily") run();
  const timer = config.backup === "daily" ? setInterval(run, checkIntervalMs).unref() : undefined;
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      child?.kill();
    },
  };
}

/** Whether there is no backup of the day yet. */
export async function isDue({ db, clock }: Pick<Services, "db" | "clock">): Promise<boolean> {
  const last = await findLastBackup(db);
  const dayOf = (time: number) => Math.floor((time - backupTimeMs) / (24 * hourMs));
  return last === undefined || dayOf(last.createdAt) !== dayOf(clock());
}

/** What the program prints. Throws what it prints as an error. */
async function outcomeOf(child: ChildProcess): Promise<string> {
  let [output, errors] = ["", ""];
  child.stdout?.on("data", (text: Buffer) => (output += String(text)));
  child.stderr?.on("data", (text: Buffer) => (errors = (errors + String(text)).slice(-maxErrorLength)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(errors.trim() || `The backup ended with ${code}.`);
  return output.trim();
}

const maxErrorLength = 2_000;
