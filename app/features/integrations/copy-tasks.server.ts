import { createHash } from "node:crypto";

import type { Services } from "#app/services/http/context.ts";

import { findContact } from "./contact-data.server.ts";
import { finishCopy, handOver, saveRemote } from "./copy-data.server.ts";
import type { CopyRow } from "./copy-data.server.ts";
import type { Integration } from "./data.server.ts";
import { DestinationError, toFailure } from "./destination-request.server.ts";
import type { Contact, CopyRequest, RemoteContact, SendRequest, Settings } from "./destination.ts";

/** An integration while contacts are sent to it. */
export type Work = { services: Services; integration: Integration; settings: Settings; send: SendRequest };

/**
 * Makes the other side have what it should have of a contact: `wanted`, or nothing. Every step is noted before the next one, because the process may
 * end at any time and an answer may be lost: then it runs again.
 */
export async function copyContact(work: Work, row: CopyRow, wanted: Contact | undefined): Promise<void> {
  const current = await deleteReplaced(work, row);
  await (wanted ? sendContact(work, current, wanted) : removeContact(work, current));
}

/** What an integration should have of a contact: undefined once the consent has ended, or if there was none. */
export async function findWanted(
  { services, integration }: Pick<Work, "services" | "integration">,
  { name }: CopyRow,
): Promise<Contact | undefined> {
  const { destination, ownerId } = integration;
  const contact = await findContact(services.db, { ownerId, name }, destination.audience);
  return contact && destination.needsEmail && contact.email === "" ? undefined : contact;
}

/** Of the owners who share a server, each has names of their own. */
function nameOf({ integration: { ownerId } }: Work, { name }: CopyRow): string {
  return createHash("sha256").update(`${ownerId} ${name}`).digest("hex").slice(0, 32);
}

async function sendContact(work: Work, row: CopyRow, contact: Contact): Promise<void> {
  const { services, integration, settings } = work;
  const { db, clock, sign } = services;
  const { destination } = integration;
  const { contact: known, isUnanswered } = row.remote;
  const mapping = destination.fields.flatMap(({ name, isMapping }) => (isMapping ? (settings[name] ?? "") : []));
  const hash = sign("integration content", JSON.stringify([contact, mapping]));
  if (known && !isUnanswered && row.sent_hash === hash)
    return finishCopy(db, row, { now: clock(), state: "sent", contact: known, hash });
  const request = { settings, send: work.send, contact, name: nameOf(work, row) };
  const found = await findRemote(work, row, request);
  const changedId = found && (await destination.copy({ ...request, known: found }));
  // A contact of ours that isn't found by its address has another one there.
  const ours = !found && known?.isOurs ? known : undefined;
  const id = changedId ?? (await create(work, row, { ...request, known: ours }));
  const sent = [found, known].find((one) => one?.id === id) ?? { id, isOurs: true };
  services.metrics.noteWebhook("done");
  // Then two contacts are there, and the former is deleted.
  const isReplaced = known && known.id !== id;
  const replaced = { contact: sent, replaced: known, isUnanswered: false };
  const saved = isReplaced ? await deleteReplaced(work, await saveRemote(db, row, replaced)) : row;
  await finishCopy(db, saved, { now: clock(), state: "sent", contact: sent, hash });
}

/**
 * The contact at the other side, if there is one. One that wasn't there before the first attempt is ours, also if its answer was lost. Where contacts
 * have our names, the other side is only asked after an answer that was lost.
 */
async function findRemote(
  { integration: { destination } }: Work,
  { remote: { contact: known, isUnanswered } }: CopyRow,
  request: Omit<CopyRequest, "known">,
): Promise<RemoteContact | undefined> {
  const id = destination.find
    ? await destination.find(request)
    : (known?.id ?? (isUnanswered ? await destination.findNamed?.(request) : undefined));
  if (id === undefined) return undefined;
  return known?.id === id ? known : { id, isOurs: isUnanswered };
}

/** Sends a contact that isn't there, or not with its address. */
async function create({ services: { db }, integration }: Work, row: CopyRow, request: CopyRequest): Promise<string> {
  await saveRemote(db, row, { ...row.remote, isUnanswered: true });
  try {
    const id = await integration.destination.copy(request);
    if (id === undefined) throw new DestinationError("later", "The contact is gone.");
    return id;
  } catch (error) {
    // An answer that refuses it says that it isn't there. Otherwise one that its owner adds now would be taken for ours.
    const { status } = toFailure(error);
    if (status !== undefined && status < 500) await saveRemote(db, row, row.remote);
    throw error;
  }
}

/** Deletes what another contact has replaced. */
async function deleteReplaced(work: Work, row: CopyRow): Promise<CopyRow> {
  const { contact, replaced } = row.remote;
  if (!replaced) return row;
  await removeRemote(work, row, replaced);
  return saveRemote(work.services.db, row, { contact, isUnanswered: false });
}

/** Deletes a contact, or takes it off the list, unless another of the owner's contacts is the same one there. */
async function removeRemote(
  { services, integration, settings, send }: Work,
  row: CopyRow,
  known: RemoteContact,
): Promise<"removed" | "kept"> {
  const isShared = await handOver(services.db, row, { contact: known, now: services.clock() });
  return isShared ? "removed" : integration.destination.remove({ settings, send, known });
}

/** Consent has ended, or there was none. */
async function removeContact(work: Work, row: CopyRow): Promise<void> {
  const { services, integration, settings, send } = work;
  const { contact: known, isUnanswered } = row.remote;
  const { findNamed } = integration.destination;
  const foundId = isUnanswered ? await findNamed?.({ settings, send, name: nameOf(work, row) }) : undefined;
  const states: ("removed" | "kept")[] = [];
  for (const remote of [known, foundId === undefined ? undefined : { id: foundId, isOurs: true }])
    if (remote) states.push(await removeRemote(work, row, remote));
  const now = services.clock();
  if (isUnanswered && !findNamed) {
    const answer = "It got no answer when it was sent, so the contact may be there. Delete it there.";
    return finishCopy(services.db, row, { now, state: "given-up", answer });
  }
  return finishCopy(services.db, row, { now, state: states.at(-1) ?? "left-out" });
}
