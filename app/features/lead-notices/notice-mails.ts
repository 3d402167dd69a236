import { letterMail } from "#app/services/mail/letter.ts";
import { reviewHint, reviewLabel } from "#app/features/leads/inbox-rules.ts";
import { formatList } from "#app/services/base/format.ts";
import { nameForMessage, plainLine, shortened } from "#app/services/base/plain-text.ts";
import { stopPath } from "#app/services/mail/mail-links.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type NoticeMail = {
  to: string;
  /** Oldest first. `card` is the owner's name for the card; "" when there is only one. */
  leads: readonly { id: string; name: string; card: string }[];
  /** How many leads are in quarantine; at least one if there is no other lead. */
  suspected: number;
  /** The page that turns these mails off without signing in. */
  offUrl: string;
  baseUrl: string;
};

/** Tells an owner of new leads: their names, and where to read the rest. The details stay in the account, where erasing them is enough. */
export function noticeMail({ to, leads, suspected, offUrl, baseUrl }: NoticeMail): Mail {
  const [review, reviewUrl] = [reviewLabel(suspected), `${baseUrl}/leads?view=spam`];
  const suspectedAlone = {
    subject: review,
    heading: review,
    paragraphs: [reviewHint],
    action: { label: "Review", url: reviewUrl },
  };
  const letter = {
    ...(leads.length > 0 ? describe(leads, baseUrl) : suspectedAlone),
    notes: [
      ...(leads.length > 0 && suspected > 0 ? [{ label: review, url: reviewUrl }] : []),
      ...(leads.length > 0
        ? [`Open the ${leads.length === 1 ? "lead to read their message" : "leads to read their messages"}.`]
        : []),
      { label: "Choose when you get these emails", url: `${baseUrl}/leads/notifications` },
      { label: "Turn them off without signing in", url: offUrl },
    ],
  };
  return { ...letterMail(letter, { to, baseUrl }), unsubscribeUrl: stopPath(offUrl) };
}

function describe(leads: readonly NamedLead[], baseUrl: string) {
  const [first] = leads;
  const isOne = leads.length === 1;
  const name = first && nameForMessage(first.name);
  const subject = isOne ? (name ? `New lead: ${name}` : "You have a new lead") : `You have ${leads.length} new leads`;
  return {
    subject,
    heading: isOne ? "You have a new lead" : subject,
    paragraphs: [isOne && first ? describeOne(first) : describeAll(leads)],
    action:
      isOne && first
        ? { label: "Open the lead", url: `${baseUrl}/leads/${encodeURIComponent(first.id)}` }
        : { label: "Open your leads", url: `${baseUrl}/leads` },
  };
}

type NamedLead = NoticeMail["leads"][number];

function describeOne({ name, card }: NamedLead): string {
  return `${nameForMessage(name) ?? "A visitor"} shared their contact with you${cardText(card)}.`;
}

function describeAll(leads: readonly NamedLead[]): string {
  const names = leads.slice(0, maxNamed).map(({ name }) => nameForMessage(name) ?? "a visitor without a name");
  const others = leads.length - names.length;
  const cards = new Set(leads.map(({ card }) => card));
  const [card = ""] = cards;
  const people = formatList(others > 0 ? [...names, `${others} more`] : names);
  return `${people.charAt(0).toUpperCase()}${people.slice(1)} shared their contact with you${cards.size === 1 ? cardText(card) : ""}.`;
}

const maxNamed = 10;
const maxCardLength = 60;

function cardText(card: string): string {
  return card === "" ? "" : ` on your card “${shortened(plainLine(card), maxCardLength)}”`;
}
