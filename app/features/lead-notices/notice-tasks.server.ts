import { z } from "zod";

import { countSpam, listCardNames } from "#app/features/leads/inbox/inbox-data.server.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { sendLeads } from "./chat/chat-tasks.server.ts";
import { findNotice, finishNotice, listWaiting, noticeJobKinds, postponeNotice } from "./data.server.ts";
import type { NoticedLead } from "./data.server.ts";
import { mailLinkPath } from "./mail-link/mail-links.server.ts";
import { noticeMail } from "./notice-mails.ts";

const jobPayload = z.object({ ownerId: z.string(), channel: z.enum(["mail", "chat"]), dueAt: z.number() });

export const noticeJobs = { [noticeJobKinds.mail]: sendNotice };
/** They wait for a chat's server. */
export const slowNoticeJobs = { [noticeJobKinds.chat]: sendNotice };

/**
 * Sends the notice that is due at this time. Everything is read now: while a mail server is away, more leads come in and others are
 * withdrawn. A job whose owner has chosen another time since does nothing.
 */
async function sendNotice(services: Services, payload: unknown): Promise<void> {
  const { db } = services;
  const { ownerId, channel, dueAt } = jobPayload.parse(payload);
  const notice = await findNotice(db, { ownerId, channel });
  if (notice?.dueAt !== dueAt) return;
  const { ids, leads, isAnySuspected } = await listWaiting(db, { ownerId, channel });
  if (leads.length > 0 && channel === "chat") {
    const outcome = await sendLeads(services, ownerId, leads);
    if (outcome?.kind === "later") return retryLater(services, { ownerId, channel, dueAt }, outcome);
    return finishNotice(db, services, { ownerId, channel, dueAt, ids, isSent: outcome?.kind === "sent" });
  }
  const isAny = leads.length > 0 || (isAnySuspected && channel === "mail");
  const isSent = isAny && (await sendMail(services, ownerId, leads));
  return finishNotice(db, services, { ownerId, channel, dueAt, ids, isSent });
}

/** As the chat asked, otherwise as often and as long as other jobs that fail. */
async function retryLater(
  services: Services,
  notice: { ownerId: string; channel: "chat"; dueAt: number },
  { reason, waitMs }: { reason: string; waitMs: number | undefined },
): Promise<void> {
  if (waitMs === undefined) throw new Error(reason);
  await postponeNotice(services.db, services, { ...notice, until: services.clock() + waitMs });
}

/** False for an owner who has no address to write to. */
async function sendMail(
  { db, mail, sign, config }: Services,
  ownerId: string,
  leads: readonly NoticedLead[],
): Promise<boolean> {
  const to = await findRecipient(db, ownerId);
  if (to === undefined) return false;
  const cards = await listCardNames(db, ownerId);
  const nameOf = (id: string) => (cards.length > 1 ? (cards.find((card) => card.id === id)?.name ?? "") : "");
  const { baseUrl } = config;
  await mail.send(
    noticeMail({
      to,
      leads: leads.map(({ id, name, cardId }) => ({ id, name, card: nameOf(cardId) })),
      suspected: await countSpam(db, ownerId),
      offUrl: baseUrl + mailLinkPath(sign, { kind: "notices", id: ownerId }),
      baseUrl,
    }),
  );
  return true;
}
