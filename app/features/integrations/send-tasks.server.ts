import { z } from "zod";

import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";
import { letterMail } from "#app/services/mail/letter.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { findContact } from "./contact-data.server.ts";
import {
  addChanges,
  beginCopy,
  failCopy,
  findNextTime,
  finishCopy,
  handOver,
  listBehind,
  listDue,
  mayBeThere,
  readRemote,
} from "./copy-data.server.ts";
import type { CopyRow } from "./copy-data.server.ts";
import { findIntegration, setState } from "./data.server.ts";
import type { Integration } from "./data.server.ts";
import { createSend, DestinationError, toFailure } from "./destination-request.server.ts";
import type { Destination, FindRequest, NamedRequest, SendRequest, Settings } from "./destination.ts";
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

type Work = { services: Services; integration: Integration; settings: Settings; send: SendRequest };

/** Handles such a job: what has changed is added to what is due, and sent. It runs again while something waits. */
export async function runIntegration(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { db, clock } = services;
  const integration = await findIntegration(services, { id: z.string().parse(payload) });
  if (!integration || integration.state !== "on") return;
  const { id, settings } = integration;
  if (!settings) return refuse(services, integration, "The settings can’t be read anymore.");
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
  const { services, integration } = given;
  const { db, clock } = services;
  const startedAt = performance.now();
  let work: Work | undefined;
  let failures = 0;
  for (;;) {
    const due = await listDue(db, { id: integration.id, now: clock(), limit: batchSize });
    if (due.length === 0) return undefined;
    for (const row of due) {
      // The rest is still due, and the job runs again at once.
      if (performance.now() - startedAt > workMs) return undefined;
      try {
        work ??= { ...given, settings: await withAccessToken(services, given) };
        await copyOne(work, row);
        failures = 0;
      } catch (error) {
        const failure = toFailure(error);
        services.metrics.noteWebhook(failure.kind === "rejected" ? "given-up" : "failed");
        if (failure.kind === "refused") {
          await refuse(services, integration, failure.message);
          return "refused";
        }
        const { status, message: answer } = failure;
        await failCopy(db, row, { now: clock(), status, answer, isRejected: failure.kind === "rejected" });
        if (failure.kind === "slow-down") {
          const until = pauseEnd(failure.retryAfter, clock());
          await db.updateTable("integration").set({ paused_until: until }).where("id", "=", integration.id).execute();
          return until;
        }
        // A server that is down must not keep the workers that others wait for.
        if (++failures >= maxFailures) return clock() + unansweredPauseMs;
      }
    }
  }
}

async function copyOne({ services, integration, settings, send }: Work, row: CopyRow): Promise<void> {
  const { db, clock, sign } = services;
  const { destination, ownerId } = integration;
  const contact = await findContact(db, { ownerId, name: row.name }, destination.audience);
  const known = readRemote(row);
  if (!contact || (destination.needsEmail && contact.email === ""))
    return removeOne({ services, integration, settings, send }, row);
  const mapping = destination.fields.flatMap(({ name, isMapping }) => (isMapping ? (settings[name] ?? "") : []));
  const hash = sign("integration content", JSON.stringify([contact, mapping]));
  if (known && row.sent_hash === hash) return finishCopy(db, row, { now: clock(), state: "sent", remote: known, hash });
  const request = { settings, send, contact, name: row.name };
  const foundId = await findRemote({ destination, row, request });
  if (!known && foundId === undefined) await beginCopy(db, row);
  // One that wasn't there before the first attempt is ours, also if its answer was lost.
  const found =
    foundId === undefined ? undefined : { id: foundId, isOurs: known?.id === foundId ? known.isOurs : mayBeThere(row) };
  let id = await destination.copy({ ...request, known: found ?? (known?.isOurs ? known : undefined) });
  if (id === undefined) {
    // It was deleted there.
    await beginCopy(db, row);
    id = await destination.copy({ ...request, known: undefined });
  }
  if (id === undefined) throw new DestinationError("later", "The contact is gone.");
  const isOurs = found?.id === id ? found.isOurs : known?.id === id ? known.isOurs : true;
  const remote = { id, isOurs };
  services.metrics.noteWebhook("done");
  // A contact with another address is another one there.
  if (known && known.id !== id && !(await handOver(db, row, { ...known, now: clock() })))
    await destination.remove({ settings, send, known });
  await finishCopy(db, row, { now: clock(), state: "sent", remote, hash });
}

type Find = { destination: Destination; row: CopyRow; request: NamedRequest & FindRequest };

/** What the other side calls the contact. Where contacts have our names, it is asked only after an answer that was lost. */
async function findRemote({ destination, row, request }: Find): Promise<string | undefined> {
  if (destination.find) return destination.find(request);
  return readRemote(row)?.id ?? (mayBeThere(row) ? destination.findNamed?.(request) : undefined);
}

/** Consent has ended, or there was none. */
async function removeOne({ services, integration, settings, send }: Work, row: CopyRow): Promise<void> {
  const { db, clock } = services;
  const { destination } = integration;
  const foundId = mayBeThere(row) ? await destination.findNamed?.({ settings, send, name: row.name }) : undefined;
  const known = readRemote(row) ?? (foundId === undefined ? undefined : { id: foundId, isOurs: true });
  if (known) {
    const isShared = await handOver(db, row, { ...known, now: clock() });
    const state = isShared ? "removed" : await destination.remove({ settings, send, known });
    return finishCopy(db, row, { now: clock(), state });
  }
  const isUnknown = mayBeThere(row) && !destination.findNamed;
  const answer = isUnknown ? "It got no answer when it was sent, so the contact may be there. Delete it there." : "";
  return finishCopy(db, row, { now: clock(), state: isUnknown ? "given-up" : "left-out", answer });
}

/** Stops an integration whose key isn't accepted, and tells its owner once. */
async function refuse({ db, jobs, clock, config }: Services, integration: Integration, reason: string): Promise<void> {
  const { id, ownerId, destination } = integration;
  await transact(db, async (trx) => {
    if (!(await setState(trx, { id, state: "refused", now: clock() }))) return;
    const to = await findRecipient(trx, ownerId);
    const mail = to && refusedMail({ to, id, destination, reason, baseUrl: config.baseUrl });
    if (mail) await jobs.enqueue(trx, "mail", mail);
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
