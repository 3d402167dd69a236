import { formatOwnTime } from "#app/services/preferences/owner-time.ts";

import type { TaggedLead } from "#app/features/leads/inbox/inbox-data.server.ts";
import { dayHeading, dayOf, formatDay, listTime } from "#app/features/leads/inbox/lead-time.ts";
import { combinedDetails, combinedTags } from "#app/features/leads/inbox/merge/person-rules.ts";
import type { Person } from "#app/features/leads/inbox/merge/person-rules.ts";
import { answerLine, sourceLabels, statusLabels } from "#app/features/leads/inbox/messages.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";

export type ListedLead = ReturnType<typeof toListedLead>;

type ListedOptions = {
  choice: { locale: string; timeZone: string };
  now: number;
  cards: readonly { id: string; name: string }[];
  /** The ids of leads that share an address or a number with others. */
  duplicates: ReadonlySet<string>;
};

/** A lead as the inbox lists it: what a row shows and nothing more. */
export function toListedLead(lead: Person<TaggedLead>, { choice, now, cards, duplicates }: ListedOptions) {
  const { email, phone, company, ...details } = combinedDetails(lead);
  const title = lead.withdrawnAt === null ? leadTitle({ ...details, email, phone, company }) : "Consent withdrawn";
  const card = cards.length > 1 ? cards.find(({ id }) => id === lead.cardId)?.name : undefined;
  return {
    id: lead.id,
    title,
    isRead: lead.isRead,
    isWithdrawn: lead.withdrawnAt !== null,
    contacts: [company, email, phone].filter((text) => text !== "" && text !== title),
    note: details.note,
    /** On paper only. */
    printed: [lead, ...lead.merged].flatMap(({ answers, ownerNote }) => [
      ...answers.map(answerLine),
      ...(ownerNote ? [`Your note: ${ownerNote}`] : []),
    ]),
    status: lead.status === "new" ? undefined : statusLabels[lead.status],
    tags: combinedTags(lead),
    /** How many submissions of the same person this is, with those that are merged into it. */
    submissions: lead.merged.length + 1,
    isDuplicate: duplicates.has(lead.id),
    origin: [sourceLabels[lead.source] ?? lead.source, card].filter(Boolean).join(" · "),
    day: dayHeading(lead.createdAt, now, choice),
    time: listTime(lead.createdAt, choice),
    /** On paper, which is read on another day. */
    printedTime: formatOwnTime(lead.createdAt, choice),
    iso: new Date(lead.createdAt).toISOString(),
    followUp: followUpOf(lead, { choice, today: dayOf(now, choice) }),
  };
}

/** "Follow up today"; undefined without a date. What is won or lost is never due. */
function followUpOf(
  { followUp, status }: Pick<TaggedLead, "followUp" | "status">,
  { choice, today }: Pick<ListedOptions, "choice"> & { today: string },
) {
  if (followUp === "") return undefined;
  const day = formatDay(followUp, choice);
  if (followUp > today || status === "won" || status === "lost") return { text: `Follow up ${day}`, isDue: false };
  return { text: followUp === today ? "Follow up today" : `Follow up since ${day}`, isDue: true };
}
