import { z } from "zod";

import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { eraseInTransaction, findVisitorLead, withdrawInTransaction } from "#app/features/leads/data.server.ts";
import { findLeadForm } from "#app/features/leads/form-data.server.ts";
import { asSent, consentPurposes, leadLimits, mailboxKey } from "#app/features/leads/rules.ts";
import type { Lead, LeadConsent, LeadDetails } from "#app/features/leads/schema.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Attempt } from "#app/services/http/rate-limits.server.ts";
import { readSignedMailLink, signMailLink } from "#app/services/mail/mail-links.server.ts";

import { allowsServices } from "#app/features/leads/consent-text.ts";
import { ownerMail, recipientMail, visitorMail } from "./lead-mails.ts";
import type { MailedOwner } from "./lead-mails.ts";
import { listRecipients } from "#app/features/leads/services-data.server.ts";

/** The path of the page where a visitor sees, withdraws and erases what they shared. It is signed, and valid forever. */
export function sharedPath(sign: Services["sign"], leadId: string): string {
  return `/shared/${signMailLink(sign, linkPurpose, leadId)}`;
}

/** The id of the lead in a link that we signed; undefined for any other text. */
export function readSharedToken(sign: Services["sign"], token: string): string | undefined {
  return readSignedMailLink(sign, linkPurpose, token);
}

const linkPurpose = "lead link";

/** What the page behind the link shows. What the owner noted about the visitor is not in it: the browser gets all of this. */
export type SharedDetails = {
  displayName: string;
  lead: LeadDetails & Pick<Lead, "title" | "website" | "expiresAt" | "withdrawnAt">;
  consents: Pick<LeadConsent, "purpose" | "text" | "version" | "givenAt" | "withdrawnAt">[];
};

/** What a visitor shared, for them; undefined when it is erased or at its end. */
export async function findSharedDetails(db: Db, leadId: string): Promise<SharedDetails | undefined> {
  const found = await findVisitorLead(db, leadId);
  if (!found) return undefined;
  const { name, title, email, phone, company, website, note, answers, expiresAt, withdrawnAt } = found.lead;
  return {
    displayName: found.displayName,
    lead: { name, title, email, phone, company, website, note, answers, expiresAt, withdrawnAt },
    consents: found.consents.map((consent) => ({
      purpose: consent.purpose,
      text: consent.text,
      version: consent.version,
      givenAt: consent.givenAt,
      withdrawnAt: consent.withdrawnAt,
    })),
  };
}

export const visitorMailJob = "mail to a lead";

/** A visitor is mailed on a later day, within this time, when the limit of the owner or of the mailbox is reached. */
const maxDelayMs = 7 * 86_400_000;

/** Has a visitor mailed what they shared, if they gave an address. */
export async function mailVisitor(
  trx: Trx,
  { jobs, rateLimits, log }: Pick<Services, "jobs" | "rateLimits" | "log">,
  leadId: string,
): Promise<void> {
  const found = await findVisitorLead(trx, leadId);
  if (!found || found.lead.email === "") return;
  const { ownerId, email } = found.lead;
  const wasGivenInPerson = found.consents.some(({ purpose }) => purpose === "in-person");
  const attempt = { limit: leadLimits.mailsInPerson, subject: mailboxKey(email) };
  const refused = wasGivenInPerson && (await rateLimits.consume([attempt], { trx }));
  if (refused) return log.warn({ account: ownerId, limit: refused.limit }, "a visitor got no mail about their lead");
  const reached = await rateLimits.consume(mailAttempts(found.lead), { trx });
  if (!reached) return jobs.enqueue(trx, visitorMailJob, { leadId });
  await jobs.schedule(trx, { kind: visitorMailJob, payload: { leadId, isLate: true }, runAt: reached.until });
}

/** `isLate`: the mail doesn't count for a limit yet. */
const jobPayload = z.object({ leadId: z.string(), isLate: z.boolean().default(false) });

/**
 * Sends that mail. Everything is read now: while a mail server is away, no address waits in the queue, and a lead that was erased or
 * withdrawn gets none.
 */
export async function sendVisitorMail(services: Services, payload: unknown): Promise<void> {
  const { db, mail, sign, config } = services;
  const { leadId, isLate } = jobPayload.parse(payload);
  const found = await findVisitorLead(db, leadId);
  if (!found || found.lead.email === "" || (isLate && (await isPutOff(services, found.lead)))) return;
  const { baseUrl } = config;
  const owner = await findMailedOwner(services, found);
  await mail.send(visitorMail({ ...found, owner, baseUrl, url: baseUrl + sharedPath(sign, leadId) }));
}

/** The owner with the card as visitors see it now. */
async function findMailedOwner(
  services: Pick<Services, "db" | "config" | "clock">,
  { lead: { ownerId, cardId }, displayName }: { lead: Lead; displayName: string },
): Promise<MailedOwner> {
  const loaded = await findFirstCard(services, { id: cardId });
  if (loaded?.ownerId !== ownerId) return { displayName, work: "", bookingUrl: "" };
  const { position, profession, company, cardUrl } = loaded.card;
  const { settings } = await findLeadForm(services.db, cardId);
  const work = [position ?? profession, company].filter(Boolean).join(", ");
  return { displayName, work, cardUrl, bookingUrl: settings.bookingUrl };
}

function mailAttempts({ ownerId, email }: Pick<Lead, "ownerId" | "email">): Attempt[] {
  return [
    { limit: leadLimits.mailsOfOwner, subject: ownerId },
    { limit: leadLimits.mailsOfMailbox, subject: mailboxKey(email) },
  ];
}

/** Whether a limit is reached again: then the mail waits for another day, or is given up. */
async function isPutOff({ db, jobs, rateLimits, log }: Services, lead: Lead) {
  const { id, ownerId, receivedAt } = lead;
  const reached = await rateLimits.consume(mailAttempts(lead));
  if (!reached) return false;
  const payload = { leadId: id, isLate: true };
  if (reached.until <= receivedAt + maxDelayMs)
    await jobs.schedule(db, { kind: visitorMailJob, payload, runAt: reached.until });
  else log.warn({ account: ownerId, limit: reached.limit }, "a visitor got no mail about their lead");
  return true;
}

/** What a visitor can do with their details. */
export const visitorRequests = ["withdraw", "newsletter", "erase"] as const;
export type VisitorRequest = (typeof visitorRequests)[number];

type RequestDeps = Pick<Services, "db" | "events" | "jobs" | "sign" | "clock" | "config">;

/** Carries out a visitor's request and tells everyone who has their details, in one transaction. False when there was nothing left to do. */
export async function followRequest(deps: RequestDeps, leadId: string, request: VisitorRequest): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const recipients = await listRecipients(trx, leadId);
    const wasShared = allowsServices((await findVisitorLead(trx, leadId))?.consents ?? []);
    const lead = await changeLead(trx, deps, { id: leadId, request });
    if (!lead) return false;
    const hasDetails = lead.withdrawnAt === null && lead.quarantinedAt === null;
    if (hasDetails) await reportRequest(trx, deps, { lead, recipients, wasShared, request });
    return true;
  });
}

type FollowedRequest = {
  lead: Lead;
  recipients: readonly string[];
  /** Whether webhooks may have got it. */
  wasShared: boolean;
  request: VisitorRequest;
};

/** Mails the owner, and the addresses that the lead was forwarded to. Tells webhooks. */
async function reportRequest(
  trx: Trx,
  { jobs, events, config: { baseUrl } }: Pick<RequestDeps, "jobs" | "events" | "config">,
  { lead, recipients, wasShared, request }: FollowedRequest,
): Promise<void> {
  const kind = request === "withdraw" ? "withdrawn" : request === "erase" ? "erased" : "newsletter";
  const { id: leadId, ownerId } = lead;
  if (wasShared) await events.record(trx, { kind: "consent.withdrawn", ownerId, leadId, request: kind });
  const address = await findAddress(trx, lead.ownerId);
  if (!address) return;
  await jobs.enqueue(trx, "mail", ownerMail({ to: address.email, lead, kind, baseUrl }));
  // They know the person by the details that were sent.
  for (const to of recipients)
    await jobs.enqueue(trx, "mail", recipientMail({ to, lead: asSent(lead), kind, baseUrl }));
}

/** The lead as it was before; undefined when nothing has changed. */
async function changeLead(
  trx: Trx,
  deps: RequestDeps,
  { id, request }: { id: string; request: VisitorRequest },
): Promise<Lead | undefined> {
  if (request !== "erase") {
    const purposes = request === "newsletter" ? (["newsletter"] as const) : consentPurposes;
    return (await withdrawInTransaction(trx, deps, { id, purposes }))?.lead;
  }
  const row = await trx.selectFrom("lead").select("owner_id").where("id", "=", id).executeTakeFirst();
  if (!row) return undefined;
  const [lead] = await eraseInTransaction(trx, deps, { ownerId: row.owner_id, ids: [id] });
  return lead;
}
