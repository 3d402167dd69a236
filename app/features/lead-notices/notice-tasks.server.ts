import { z } from "zod";

import { countSpam, listCardNames } from "#app/features/leads/inbox/inbox-data.server.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { RunningJob } from "#app/services/jobs/jobs.server.ts";

import { sendLeads } from "./chat/chat-tasks.server.ts";
import { finishNotice, listWaiting, noticeJobKinds } from "./data.server.ts";
import type { NoticedLead } from "./data.server.ts";
import { mailLinkPath } from "./mail-link/mail-links.server.ts";
import { noticeMail } from "./notice-mails.ts";

const jobPayload = z.object({ ownerId: z.string(), channel: z.enum(["mail", "chat"]) });

export const noticeJobs = { [noticeJobKinds.mail]: sendNotice };
/** They wait for a chat's server. */
export const slowNoticeJobs = { [noticeJobKinds.chat]: sendNotice };

/** Sends a notice. Everything is read now: while a mail server is away, more leads come in and others are withdrawn. */
async function sendNotice(services: Services, payload: unknown, job: RunningJob): Promise<void> {
  const { db, clock } = services;
  const { ownerId, channel } = jobPayload.parse(payload);
  const { ids, leads, isAnySuspected } = await listWaiting(db, { ownerId, channel });
  const finish = (isSent: boolean) => finishNotice(db, services, { ownerId, channel, job, ids, isSent });
  if (leads.length > 0 && channel === "chat") {
    const outcome = await sendLeads(services, ownerId, leads);
    if (outcome?.kind !== "later") return finish(outcome?.kind === "sent");
    // As the chat asked, otherwise as often and as long as other jobs that fail.
    if (outcome.waitMs === undefined) throw new Error(outcome.reason);
    return job.runAgain({ runAt: clock() + outcome.waitMs, payload });
  }
  const isAny = leads.length > 0 || (isAnySuspected && channel === "mail");
  return finish(isAny && (await sendMail(services, ownerId, leads)));
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
