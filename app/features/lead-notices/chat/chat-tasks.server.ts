import { findLeadForServices } from "#app/features/leads/services-data.server.ts";
import type { NoticedLead } from "#app/features/lead-notices/data.server.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { isBlocked } from "#app/services/database/account-block.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { findChatAddress, noteChat } from "./chat-data.server.ts";
import { leadsText } from "./chat-text.ts";
import type { ChatLead } from "./chat-text.ts";
import { readOutcome, unreadableAddress } from "./send-rules.ts";
import type { ChatOutcome } from "./send-rules.ts";

/** Sends a text to the owner's chat; undefined without one. */
export async function sendToChat(
  services: Services,
  { ownerId, text }: { ownerId: string; text: string },
): Promise<ChatOutcome | undefined> {
  const { sendPublicly, clock } = services;
  const address = await findChatAddress(services, ownerId);
  if (!address) return undefined;
  if (address.url === undefined) return unreadableAddress;
  const headers = { "content-type": "application/json; charset=utf-8", "user-agent": "Meishi" };
  // Slack otherwise shows a preview of our link, which needs a session.
  const body = JSON.stringify({ text, unfurl_links: false, unfurl_media: false });
  return readOutcome(await sendPublicly(address.url, { headers, body }), clock());
}

/** How many leads a message names at most; the others are a number. */
const maxRead = 20;

/** Tells the owner's chat of leads, as they are now. Undefined when there is no one to tell. */
export async function sendLeads(
  services: Services,
  ownerId: string,
  leads: readonly NoticedLead[],
): Promise<ChatOutcome | undefined> {
  // Of an account that was deleted a moment ago, its settings may still be there.
  if (!(await findAddress(services.db, ownerId)) || (await isBlocked(services.db, ownerId))) return undefined;
  const shown: ChatLead[] = [];
  for (const { id } of leads.slice(0, maxRead)) {
    const found = await findLeadForServices(services.db, { ownerId, id });
    shown.push({ id, details: found.kind === "allowed" ? found.lead : undefined });
  }
  const counted = leads.slice(maxRead).map(({ id }) => ({ id, details: undefined }));
  const text = leadsText([...shown, ...counted], services.config.baseUrl);
  const outcome = await sendToChat(services, { ownerId, text });
  if (outcome) await noteChat(services, { ownerId, error: outcome.kind === "sent" ? undefined : outcome.reason });
  return outcome;
}
