import type { Lead } from "#app/features/leads/schema.ts";
import { shortened } from "#app/services/base/plain-text.ts";

import { dayOf, formatDay, listTime } from "./lead-time.ts";
import { sourceLabels, statusLabels } from "./messages.ts";
import { leadTitle } from "./rules.ts";

export type ListedLead = ReturnType<typeof toListedLead>;

type ListedOptions = {
  choice: { locale: string; timeZone: string };
  now: number;
  cards: readonly { id: string; name: string }[];
};

/** A lead as the inbox lists it: what a row shows and nothing more. */
export function toListedLead(lead: Lead & { tags: string[] }, { choice, now, cards }: ListedOptions) {
  const title = lead.withdrawnAt === null ? leadTitle(lead) : "Consent withdrawn";
  const card = cards.length > 1 ? cards.find(({ id }) => id === lead.cardId)?.name : undefined;
  return {
    id: lead.id,
    title,
    isRead: lead.isRead,
    isWithdrawn: lead.withdrawnAt !== null,
    contact: [lead.company, lead.email, lead.phone].filter((text) => text !== "" && text !== title).join(" · "),
    note: shortened(lead.note.replaceAll("\n", " "), 160),
    status: lead.status === "new" ? undefined : statusLabels[lead.status],
    tags: lead.tags,
    origin: [sourceLabels[lead.source] ?? lead.source, card].filter(Boolean).join(" · "),
    time: listTime(lead.createdAt, now, choice),
    iso: new Date(lead.createdAt).toISOString(),
    followUp: lead.followUp && {
      text: formatDay(lead.followUp, choice),
      isDue: lead.followUp <= dayOf(now, choice) && lead.status !== "won" && lead.status !== "lost",
    },
  };
}
