import { randomBytes } from "node:crypto";

import type { Services } from "#app/services/context.ts";
import { MAX_TRIES } from "#app/services/jobs.server.ts";

import type { Check } from "./look.server.ts";
import { showInstance } from "./record.server.ts";
import { MS_PER_MINUTE } from "./rules.ts";
import type { CheckName } from "./rules.ts";

/** This process, as the others and the page know it: a random id and when it started (epoch milliseconds). */
export type Self = { id: string; startedAt: number };

/** Each does once, and really, what the product does all the time. */
export function createChecks(services: Services, self: Self): Record<CheckName, Check> {
  return {
    database: () => checkDatabase(services, self),
    files: () => checkFiles(services, self),
    mail: () => checkMail(services),
    jobs: () => checkJobs(services, self),
  };
}

/** Writes and reads: a database that takes no writes is not well. */
async function checkDatabase({ db, clock }: Services, self: Self) {
  const now = clock();
  const stored = await showInstance(db, { ...self, now });
  if (stored !== now) throw new Error(`the database answered ${stored} where ${now} was written`);
  return "well" as const;
}

/** A few bytes, in the folder or in the bucket, with a name of this process alone. */
async function checkFiles({ files }: Services, { id }: Self) {
  const path = `${PROBES}${id}/probe`;
  const written = randomBytes(16);
  await files.put(path, written, "application/octet-stream");
  const read = await files.read(path);
  await files.remove(path);
  if (!read || !written.equals(read)) throw new Error("the store did not give back what was put into it");
  return "well" as const;
}

const PROBES = "status/";

/** Takes away the probes of processes that were killed in the middle of a look. */
export async function sweepProbes({ files, clock }: Pick<Services, "files" | "clock">): Promise<void> {
  for await (const { path, writtenAt } of files.list(PROBES)) {
    if (writtenAt < clock() - 60 * MS_PER_MINUTE) await files.remove(path);
  }
}

/** With a server: that it lets us in, as for a mail. Without one: that a mail can be kept, where somebody can read it. */
async function checkMail({ mail }: Services) {
  if (!mail.isConfigured) return "unset" as const;
  await mail.check();
  return "well" as const;
}

/** Work that is due and in nobody's hands for minutes means that nobody takes it any more, or that there is too much of it. */
async function checkJobs({ db, clock }: Services, { startedAt }: Self) {
  const now = clock();
  // What waited while nothing ran gets a moment to be taken.
  if (now - startedAt < LONGEST_WAIT) return "well" as const;
  const waiting = await db
    .selectFrom("job")
    .select(["kind", "run_at"])
    .where("run_at", "<", now - LONGEST_WAIT)
    .where("leased_until", "<", now - LONGEST_WAIT)
    .where("tries", "<", MAX_TRIES)
    .orderBy("run_at")
    .limit(1)
    .executeTakeFirst();
  if (!waiting) return "well" as const;
  const minutes = Math.floor((now - waiting.run_at) / MS_PER_MINUTE);
  throw new Error(`a job (${waiting.kind}) is due for ${minutes} minutes and nobody takes it`);
}

const LONGEST_WAIT = 5 * MS_PER_MINUTE;
