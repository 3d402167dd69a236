import { z } from "zod";

import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { findVisibleProfile } from "#app/features/profile/public-profile.server.ts";
import { readContactPhoto } from "#app/features/cards/vcard/contact-image.server.ts";
import { formatVCard, toVCardContact } from "#app/features/cards/vcard/vcard.ts";
import { listConsents } from "#app/features/leads/consent-data.server.ts";
import { sharedPath } from "#app/features/leads/consent/visitor-data.server.ts";
import { findVisitorLead, proofKey, withPrevious } from "#app/features/leads/data.server.ts";
import { toLead } from "#app/features/leads/lead-row.server.ts";
import { leadLimits, mailboxKey } from "#app/features/leads/rules.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { nameForMessage } from "#app/services/base/plain-text.ts";
import type { Services } from "#app/services/http/context.ts";
import { safeFileName } from "#app/services/http/file-name.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";
import type { Lead } from "#app/features/leads/schema.ts";

import { defaultTemplate, findNoReply } from "./reply-rules.ts";
import type { NoReply, ReplyTemplate } from "./reply-rules.ts";

export async function findTemplate(db: Db, ownerId: string): Promise<ReplyTemplate> {
  const row = await db
    .selectFrom("lead_setting")
    .select(["reply_subject", "reply_text"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return { subject: row?.reply_subject || defaultTemplate.subject, text: row?.reply_text || defaultTemplate.text };
}

type SaveTemplate = { ownerId: string; template: ReplyTemplate; now: number };

/** Stores the owner's template. An empty part is ours again. */
export async function saveTemplate(db: Db, { ownerId, template, now }: SaveTemplate): Promise<void> {
  const change = { reply_subject: template.subject, reply_text: template.text, updated_at: now };
  await db
    .insertInto("lead_setting")
    .values({ owner_id: ownerId, ...change })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(change))
    .execute();
}

export type SentReply = { id: string; leadId: string; subject: string; text: string; sentAt: number };

/** The replies to some leads, newest first. */
export async function listReplies(db: Db, leadIds: readonly string[]): Promise<SentReply[]> {
  const rows = await db
    .selectFrom("lead_reply")
    .selectAll()
    .where("lead_id", "in", leadIds)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ id, lead_id: leadId, subject, text, created_at: sentAt }) => ({
    id,
    leadId,
    subject,
    text,
    sentAt,
  }));
}

type NewReply = ReplyTemplate & {
  /** From the form: however often it is sent, it sends one mail. */
  id: string;
  ownerId: string;
  leadId: string;
};

export type SendReplyResult =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "refused"; reason: NoReply }
  | { kind: "rate-limited"; until: number };

type SendDeps = Pick<Services, "db" | "jobs" | "rateLimits" | "clock" | "sign">;

export const replyJob = "reply to a lead";

/** Sends a reply to a lead, records it, and marks a new lead as contacted. */
export async function sendReply(
  { db, jobs, rateLimits, clock, sign }: SendDeps,
  { id, ownerId, leadId, subject, text }: NewReply,
): Promise<SendReplyResult> {
  return transact(db, async (trx): Promise<SendReplyResult> => {
    // Locks the lead: none is added after it was withdrawn or erased.
    const row = await trx
      .updateTable("lead")
      .set((lead) => ({ status: lead.ref("status") }))
      .where("id", "=", leadId)
      .where("owner_id", "=", ownerId)
      .where("withdrawn_at", "is", null)
      .where("deleted_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row?.email) return { kind: "gone" };
    const lead = toLead(row);
    const reason = findNoReply(lead, await listConsents(trx, leadId));
    if (reason) return { kind: "refused", reason };
    // Whoever withdrew or erased their details once isn't mailed for this owner because the address was sent again, by anyone.
    const withdrawn = await trx
      .selectFrom("lead")
      .select("id")
      .where("owner_id", "=", ownerId)
      .where(
        "proof_hash",
        "in",
        withPrevious(sign, (one) => proofKey(one, ownerId, lead.email)),
      )
      .limit(1)
      .executeTakeFirst();
    if (withdrawn) return { kind: "refused", reason: "consent" };
    const known = await trx.selectFrom("lead_reply").select("id").where("id", "=", id).executeTakeFirst();
    if (known) return { kind: "sent" };
    const mailbox = mailboxKey(lead.email);
    const attempts = [
      { limit: leadLimits.repliesOfOwner, subject: ownerId },
      { limit: leadLimits.repliesToMailbox, subject: `${ownerId} ${mailbox}` },
      { limit: leadLimits.repliesToMailboxInAll, subject: mailbox },
    ];
    const limited = await rateLimits.consume(attempts, { trx });
    if (limited) return { kind: "rate-limited", until: limited.until };
    const reply = { id, lead_id: leadId, owner_id: ownerId, subject, text, created_at: clock() };
    await trx.insertInto("lead_reply").values(reply).execute();
    await trx
      .updateTable("lead")
      .set({ status: "contacted" })
      .where("id", "=", leadId)
      .where("status", "=", "new")
      .execute();
    await jobs.enqueue(trx, replyJob, { id });
    return { kind: "sent" };
  });
}

const replyPayload = z.object({ id: z.string() });

/**
 * Mails a reply. Everything is read now: one whose lead was withdrawn or erased in the meantime is gone, and one of an account that was
 * blocked isn't sent.
 */
export async function sendReplyMail(services: Services, payload: unknown): Promise<void> {
  const { db, mail, sign, config, log } = services;
  const { id } = replyPayload.parse(payload);
  const reply = await db.selectFrom("lead_reply").selectAll().where("id", "=", id).executeTakeFirst();
  const found = reply && (await findVisitorLead(db, reply.lead_id));
  if (!reply || !found || found.lead.email === "") return;
  const { ownerId, id: leadId } = found.lead;
  const email = await findRecipient(db, ownerId);
  if (!email) return log.warn({ account: ownerId }, "a reply to a lead was not sent");
  const { baseUrl } = config;
  await mail.send(
    replyMail({
      lead: found.lead,
      reply,
      owner: { name: found.displayName, email },
      card: await readCard(services, found.lead),
      sharedUrl: baseUrl + sharedPath(sign, leadId),
      baseUrl,
    }),
  );
}

/** The card that the lead came from, or else the owner's first one that visitors can open. */
export async function findReplyCard(services: Services, { ownerId, cardId }: { ownerId: string; cardId: string }) {
  const card = await findFirstCard(services, { id: cardId });
  if (card) return card;
  const profile = await findVisibleProfile(services, ownerId);
  const main = profile && "contactCard" in profile ? profile.contactCard : undefined;
  return main && findFirstCard(services, { id: main.id });
}

async function readCard(services: Services, lead: { ownerId: string; cardId: string }) {
  const card = await findReplyCard(services, lead);
  if (!card) return undefined;
  const photo = await readContactPhoto(services, card.found.avatarKey);
  const { cardUrl } = card.card;
  return { url: cardUrl, vcard: formatVCard(toVCardContact(card.found, { cardUrl, photo })) };
}

type ReplyMail = {
  /** With the details as the visitor sent them. */
  lead: Pick<Lead, "email" | "createdAt">;
  reply: { subject: string; text: string };
  owner: { name: string; email: string };
  /** Undefined while no card is public. */
  card: { url: string; vcard: string } | undefined;
  /** The visitor's page. */
  sharedUrl: string;
  baseUrl: string;
};

/** An owner's reply as plain text, with their card. It says why it was sent, and how its recipient ends that. */
function replyMail({ lead, reply, owner, card, sharedUrl, baseUrl }: ReplyMail): Mail {
  const name = nameForMessage(owner.name) ?? "The owner of a business card";
  const cardLink = card && !reply.text.includes(card.url) ? `\n\n${card.url}` : "";
  const reason = `${name} sent you this because you shared your details on ${formatDate(lead.createdAt)} at ${new URL(baseUrl).host}.`;
  const fileName = safeFileName(owner.name, { extension: "vcf", otherwise: "contact" });
  return {
    to: lead.email,
    senderName: name,
    replyTo: owner.email,
    subject: reply.subject,
    text: `${reply.text}${cardLink}\n\n-- \n${reason}\nSee, withdraw or erase them: ${sharedUrl}\n`,
    attachments: card && [{ fileName, type: "text/vcard; charset=utf-8", text: card.vcard }],
  };
}
