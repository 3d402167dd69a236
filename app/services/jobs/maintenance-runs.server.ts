import { z } from "zod";

import { changeSetting, findSetting } from "#app/services/config/setting-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** The maintenance tasks of all features, which run at the start and every hour. */
export type Maintenance = {
  /** In the order in which they run, each with its last run in any process; undefined before the first. */
  list: () => Promise<{ name: string; last: TaskRun | undefined }[]>;
  /** Adds a job that runs a task at once, in one of the processes. False for an unknown name. */
  runNow: (name: string) => Promise<boolean>;
};

/** When a run of a task began and how many milliseconds it took; the rows it changed, if it counts them, or why it failed. */
export type TaskRun = z.infer<typeof taskRun>;

const taskRun = z.object({
  at: z.number(),
  ms: z.number(),
  rows: z.number().optional(),
  error: z.string().optional(),
});
const storedRuns = z.partialRecord(z.string(), taskRun);
type TaskRuns = z.infer<typeof storedRuns>;

const settingName = "maintenance";

/** The last run of each task by its name. */
export async function findTaskRuns(db: Db): Promise<TaskRuns> {
  return parseRuns(await findSetting(db, settingName));
}

/** Replaces the last runs of these tasks. */
export async function saveTaskRuns(db: Db, runs: TaskRuns): Promise<void> {
  await transact(db, (trx) =>
    changeSetting(trx, settingName, (stored) => JSON.stringify({ ...parseRuns(stored), ...runs })),
  );
}

function parseRuns(stored = ""): TaskRuns {
  return storedRuns.parse(JSON.parse(stored || "{}"));
}
