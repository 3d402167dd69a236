import { z } from "zod";

import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { listCardNames } from "#app/features/leads/inbox/inbox-data.server.ts";
import { addRecipient, removeRecipient } from "#app/features/leads/services-data.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { plainLine, withoutEmails } from "#app/services/base/plain-text.ts";
import type { Services } from "#app/services/http/context.ts";

import { forwardedMail } from "./forward-mails.ts";
import { findForward, findForwardedLead, forwardJob, noteForward } from "./forwards-data.server.ts";

const jobPayload = z.object({ forwardId: z.string(), leadId: z.string() });

export const forwardJobs = { [forwardJob]: forwardLead };

/** Sends a lead to an address. Everything is read now: a lead that was withdrawn while the mail server was away isn't sent. */
async function forwardLead({ db, mail, sign, clock, config }: Services, payload: unknown): Promise<void> {
  const { forwardId, leadId } = jobPayload.parse(payload);
  const forward = await findForward(db, forwardId);
  if (!forward || forward.confirmedAt === null) return;
  const { ownerId, address: to } = forward;
  const found = await findForwardedLead(db, { ownerId, leadId });
  if (!found) return;
  const cards = await listCardNames(db, ownerId);
  const card = cards.find(({ id }) => id === found.lead.cardId)?.name ?? "";
  const time = formatOwnTime(found.lead.createdAt, await findPreferences(db, ownerId));
  const recipient = { ownerId, leadId, address: to, now: clock() };
  const added = await addRecipient(db, recipient);
  if (added === "gone") return;
  try {
    await mail.send(forwardedMail({ to, forwardId, ...found, card, time, sign, baseUrl: config.baseUrl }));
  } catch (error) {
    const message = plainLine(withoutEmails(error instanceof Error ? error.message : String(error)));
    if (added === "added") await removeRecipient(db, recipient);
    await noteForward(db, { id: forwardId, now: clock(), error: message.slice(0, 300) || "unknown" });
    // The job is tried again.
    throw error;
  }
  await noteForward(db, { id: forwardId, now: clock(), error: undefined });
}
