import { z } from "zod";

import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";
import { letterMail } from "#app/services/mail/letter.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { copyContact, findWanted } from "./copy-tasks.server.ts";
import type { Work } from "./copy-tasks.server.ts";
import { addChanges, failCopy, findDue, findNextTime, listBehind, listDue } from "./copy-data.server.ts";
import { findIntegration, isUnchanged, setState } from "./data.server.ts";
import type { Integration } from "./data.server.ts";
import { createSend, toFailure } from "./destination-request.server.ts";
import type { Destination } from "./destination.ts";
import { withAccessToken } from "./oauth-request.server.ts";
import { pauseEnd } from "./rules.ts";

/** Jobs of this kind copy what is due to one service. Their key is the integration, so that one worker at a time does it. */
export const integrationJob = "integration";

const pollMs = 10_000;
/** Less than the lease of a job, with the time that the last request may take. */
const workMs = 60_000;
const batchSize = 50;
/** In a row. */
const maxFailures = 3;
const unansweredPauseMs = 60_000;

/** Starts the integrations whose owner's contacts have changed. */
export async function scheduleBehind(services: Services): Promise<void> {
  for (const id of await listBehind(services.db, 1_000)) await scheduleIntegration(services, id);
}

/** Has a process look at once for what is left to do. */
export async function scheduleIntegration({ db, jobs, clock, clockCheck }: Services, id: string): Promise<void> {
  const runAt = clock() - clockCheck.ahead();
  await jobs.schedule(db, { kind: integrationJob, key: id, payload: id, runAt, hurry: true });
}

/** Looks for changes until it is stopped. */
export function startPolling(services: Services): { stop: () => Promise<void> } {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => scheduleBehind(services))
      .catch((error: unknown) =>
        services.log.error({ err: error }, "changed contacts cannot be read from the database"),
      );
  }, pollMs);
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

/** Handles such a job: what has changed is added to what is due, and sent. It runs again while something waits. */
export async function runIntegration(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { db, clock } = services;
  const integration = await findIntegration(services, { id: z.string().parse(payload) });
  if (!integration || integration.state !== "on") return;
  const { id, settings } = integration;
  if (!settings) return void (await refuse(services, integration, "The settings can’t be read anymore."));
  await addChanges(db, integration, clock());
  const pausedUntil =
    integration.pausedUntil > clock()
      ? integration.pausedUntil
      : await sendDue({ services, integration, settings, send: createSend(services) });
  if (pausedUntil === "refused") return;
  const next = await findNextTime(db, id);
  if (next !== undefined) await job.runAgain({ runAt: Math.max(next, pausedUntil ?? 0), payload });
}

/** Sends what is due. Returns until when to pause, or that the other side refuses us. */
async function sendDue(given: Work): Promise<number | "refused" | undefined> {
  const { services } = given;
  const { db, clock } = services;
  const startedAt = performance.now();
  let work = given;
  let failures = 0;
  for (;;) {
    const due = await listDue(db, { id: work.integration.id, now: clock(), limit: batchSize });
    if (due.length === 0) return undefined;
    for (const one of due) {
      // The rest is still due, and the job runs again at once.
      if (performance.now() - startedAt > workMs || !(await isUnchanged(db, work.integration))) return undefined;
      // Another contact may have changed it meanwhile.
      const row = await findDue(db, one);
      if (!row) continue;
      const contact = await findWanted(work, row);
      try {
        if (work === given) work = { ...given, ...(await withAccessToken(services, given)) };
        await copyContact(work, row, contact);
        failures = 0;
      } catch (error) {
        const failure = toFailure(error);
        const isRejected = failure.kind === "rejected";
        services.metrics.noteWebhook(isRejected ? "given-up" : "failed");
        if (failure.kind === "refused")
          return (await refuse(services, work.integration, failure.message)) ? "refused" : undefined;
        const { status, message: answer } = failure;
        await failCopy(db, row, { now: clock(), status, answer, isRejected, isRemoval: !contact });
        if (failure.kind === "slow-down") {
          const until = pauseEnd(failure.retryAfter, clock());
          await db
            .updateTable("integration")
            .set({ paused_until: until })
            .where("id", "=", one.integration_id)
            .execute();
          return until;
        }
        // A server that is down must not keep the workers that others wait for.
        if (++failures >= maxFailures) return clock() + unansweredPauseMs;
      }
    }
  }
}

/** Stops an integration whose key isn't accepted, and tells its owner once. False when it was stopped or changed meanwhile. */
async function refuse(
  { db, jobs, clock, config }: Services,
  { id, ownerId, destination, encrypted }: Integration,
  reason: string,
): Promise<boolean> {
  return transact(db, async (trx) => {
    if (!(await setState(trx, { id, state: "refused", now: clock(), encrypted }))) return false;
    const to = await findRecipient(trx, ownerId);
    const mail = to && refusedMail({ to, id, destination, reason, baseUrl: config.baseUrl });
    if (mail) await jobs.enqueue(trx, "mail", mail);
    return true;
  });
}

type Refused = Pick<Mail, "to"> & { id: string; destination: Destination; reason: string; baseUrl: string };

/** Tells an owner once that a service no longer accepts their key. */
function refusedMail({ to, id, destination: { name, oauth }, reason, baseUrl }: Refused): Mail {
  const why = oauth ? `${name} no longer lets us add contacts for you` : `${name} refused the key that you entered`;
  return letterMail(
    {
      subject: `${name} no longer accepts your leads`,
      heading: `${name} no longer accepts your leads`,
      paragraphs: [
        `${why}${reason ? `: “${reason}”` : "."}`,
        `Nothing is sent until you ${oauth ? "connect it again" : "enter a new one"}. Then what has changed meanwhile is sent as well.`,
      ],
      action: { label: oauth ? "Connect again" : "Enter a new key", url: `${baseUrl}/integrations/${id}/edit` },
      notes: [],
    },
    { to, baseUrl },
  );
}
