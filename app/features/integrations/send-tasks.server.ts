import { createHash } from "node:crypto";

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
  findDue,
  finishCopy,
  handOver,
  listBehind,
  listDue,
  mayBeThere,
  readFormer,
  readRemote,
  saveRemote,
  saveReplaced,
} from "./copy-data.server.ts";
import type { CopyRow } from "./copy-data.server.ts";
import { findIntegration, isUnchanged, setState } from "./data.server.ts";
import type { Integration } from "./data.server.ts";
import { createSend, DestinationError, toFailure } from "./destination-request.server.ts";
import type {
  Contact,
  CopyRequest,
  Destination,
  FindRequest,
  NamedRequest,
  RemoteContact,
  SendRequest,
  Settings,
} from "./destination.ts";
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
        await (contact ? copyOne(work, row, contact) : removeOne(work, row));
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

/** Undefined once the consent has ended, or if there was none. */
async function findWanted({ services, integration }: Work, { name }: CopyRow): Promise<Contact | undefined> {
  const { destination, ownerId } = integration;
  const contact = await findContact(services.db, { ownerId, name }, destination.audience);
  return contact && destination.needsEmail && contact.email === "" ? undefined : contact;
}

/** Of the owners who share a server, each has names of their own. */
function nameOf({ integration: { ownerId } }: Work, { name }: CopyRow): string {
  return createHash("sha256").update(`${ownerId} ${name}`).digest("hex").slice(0, 32);
}

async function copyOne(work: Work, given: CopyRow, contact: Contact): Promise<void> {
  const { services, integration, settings, send } = work;
  const { db, clock, sign } = services;
  const { destination } = integration;
  const row = await removeFormer(work, given);
  const known = readRemote(row);
  const mapping = destination.fields.flatMap(({ name, isMapping }) => (isMapping ? (settings[name] ?? "") : []));
  const hash = sign("integration content", JSON.stringify([contact, mapping]));
  const isSent = known && row.sent_hash === hash && !mayBeThere(row);
  if (isSent) return finishCopy(db, row, { now: clock(), state: "sent", remote: known, hash });
  const request = { settings, send, contact, name: nameOf(work, row) };
  const foundId = await findRemote({ destination, row, request });
  // One that wasn't there before the first attempt is ours, also if its answer was lost.
  const found =
    foundId === undefined ? undefined : { id: foundId, isOurs: known?.id === foundId ? known.isOurs : mayBeThere(row) };
  const toChange = found ?? (known?.isOurs ? known : undefined);
  const changedId = toChange && (found ? await destination.copy({ ...request, known: found }) : undefined);
  const id = changedId ?? (await copyNew(work, row, { ...request, known: found ? undefined : toChange }));
  const isOurs = found?.id === id ? found.isOurs : known?.id === id ? known.isOurs : true;
  const remote = { id, isOurs };
  services.metrics.noteWebhook("done");
  // A contact with another address is another one there.
  const isReplaced = known && known.id !== id;
  const saved = isReplaced ? await removeFormer(work, await saveReplaced(db, row, { remote, former: known })) : row;
  await finishCopy(db, saved, { now: clock(), state: "sent", remote, hash });
}

/** Sends a contact that isn't there, or not with its address. */
async function copyNew({ services: { db }, integration }: Work, row: CopyRow, request: CopyRequest): Promise<string> {
  const { destination } = integration;
  await beginCopy(db, row);
  try {
    const id = await destination.copy(request);
    if (id === undefined) throw new DestinationError("later", "The contact is gone.");
    return id;
  } catch (error) {
    // An answer that refuses it says that it isn't there. Otherwise one that its owner adds now would be taken for ours.
    const { status } = toFailure(error);
    if (status !== undefined && status < 500) await saveRemote(db, row, row.remote_id);
    throw error;
  }
}

type Find = { destination: Destination; row: CopyRow; request: NamedRequest & FindRequest };

/** What the other side calls the contact. Where contacts have our names, it is asked only after an answer that was lost. */
async function findRemote({ destination, row, request }: Find): Promise<string | undefined> {
  if (destination.find) return destination.find(request);
  return readRemote(row)?.id ?? (mayBeThere(row) ? destination.findNamed?.(request) : undefined);
}

/** Deletes what another contact has replaced. */
async function removeFormer(work: Work, row: CopyRow): Promise<CopyRow> {
  const former = readFormer(row);
  if (!former) return row;
  await removeRemote(work, row, former);
  return saveReplaced(work.services.db, row, { remote: readRemote(row) });
}

/** Deletes a contact, or takes it off the list, unless another of the owner's contacts is the same one there. */
async function removeRemote(
  { services, integration, settings, send }: Work,
  row: CopyRow,
  known: RemoteContact,
): Promise<"removed" | "kept"> {
  const isShared = await handOver(services.db, row, { ...known, now: services.clock() });
  return isShared ? "removed" : integration.destination.remove({ settings, send, known });
}

/** Consent has ended, or there was none. */
async function removeOne(work: Work, given: CopyRow): Promise<void> {
  const { services, integration, settings, send } = work;
  const { db, clock } = services;
  const row = await removeFormer(work, given);
  const { findNamed } = integration.destination;
  const foundId = mayBeThere(row) ? await findNamed?.({ settings, send, name: nameOf(work, row) }) : undefined;
  const states: ("removed" | "kept")[] = [];
  for (const remote of [readRemote(row), foundId === undefined ? undefined : { id: foundId, isOurs: true }])
    if (remote) states.push(await removeRemote(work, row, remote));
  const now = clock();
  if (mayBeThere(row) && !findNamed) {
    const answer = "It got no answer when it was sent, so the contact may be there. Delete it there.";
    return finishCopy(db, row, { now, state: "given-up", answer });
  }
  return finishCopy(db, row, { now, state: states.at(-1) ?? "left-out" });
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
