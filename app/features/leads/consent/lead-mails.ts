import { letterMail } from "#app/services/mail/letter.ts";
import { isBookingPage } from "#app/features/links/site-data.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { leadFieldNames } from "#app/features/leads/rules.ts";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import { formatDate, formatList } from "#app/services/base/format.ts";
import { nameForMessage, shortened } from "#app/services/base/plain-text.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type VisitorMail = {
  lead: Lead;
  consents: readonly Pick<LeadConsent, "purpose">[];
  owner: MailedOwner;
  url: string;
  baseUrl: string;
};

/** The owner for a mail to a visitor. Without `cardUrl`, the card isn't public anymore. */
export type MailedOwner = { displayName: string; work: string; cardUrl?: string | undefined; bookingUrl: string };

/**
 * Tells visitors whose card they have now, what they shared and why, and how to withdraw or erase it. It has no words of the visitor, and
 * of the owner a short name, their work and a link to a booking site, none of which can become another link: anyone can type any address,
 * and no stranger may send their own words in our name. The page behind the last link shows what was agreed to.
 */
export function visitorMail({ lead, consents, owner, url, baseUrl }: VisitorMail): Mail {
  const fields = ([...leadFieldNames, "title", "website"] as const)
    .filter((name) => lead[name] !== "")
    .map((name) => leadMessages.labels[name].toLowerCase());
  const shared = formatList([...fields, ...(lead.answers.length > 0 ? ["answers"] : [])]);
  const facts = { day: formatDate(lead.createdAt), shared, host: new URL(baseUrl).host, ...nameOwner(owner) };
  const wasGivenInPerson = consents.some(({ purpose }) => purpose === "in-person");
  const { subject, heading, paragraphs, wrong } = wasGivenInPerson ? inPersonParts(facts) : formParts(facts, consents);
  const own = { label: "See, withdraw or erase your details", url };
  const { cardUrl, bookingUrl } = owner;
  const card = { label: facts.name ? `Open ${facts.name}’s card` : "Open the card", url: cardUrl ?? "" };
  const below = [
    { label: "Save the contact", url: `${cardUrl}/contact.vcf` },
    ...(isBookingPage(bookingUrl) ? [{ label: "Book a time", url: bookingUrl }] : []),
    own,
  ];
  const [action, links] = cardUrl ? [card, below] : [own, []];
  const notes = [
    "The link to your details works without an account and doesn’t expire. Anyone who has it can see and erase them.",
    wrong,
  ];
  return letterMail({ subject, heading, paragraphs, action, links, notes }, { to: lead.email, baseUrl });
}

/** `who`: with their work. `name`: undefined for one that could become a link. */
function nameOwner({ displayName, work }: MailedOwner) {
  const name = nameForMessage(shortened(displayName, maxNameLength));
  const owner = name ?? "the owner of a business card";
  return { name, owner, who: [owner, nameForMessage(work)].filter(Boolean).join(", ") };
}

type MailFacts = { day: string; shared: string; host: string } & ReturnType<typeof nameOwner>;

function formParts({ day, shared, host, owner, who }: MailFacts, consents: VisitorMail["consents"]) {
  const purposes = consents.map(({ purpose }) => purposeTexts[purpose]);
  const heading = `You shared your details with ${owner}`;
  return {
    subject: heading,
    heading,
    paragraphs: [
      `On ${day} you shared your ${shared} at ${host} with ${who}.`,
      `You agreed ${formatList(purposes)}. You can change your mind at any time.`,
    ],
    wrong: "If this wasn’t you, someone typed your address. Open that link and erase the details.",
  };
}

/** For someone who typed nothing here: first of all, whom they met. */
function inPersonParts({ day, shared, host, name, who }: MailFacts) {
  const heading = "It was good to meet you";
  return {
    subject: name ? `${name}: it was good to meet you` : heading,
    heading,
    paragraphs: [
      `You gave your business card or your details to ${who}. Here is their card, so that you can stay in touch.`,
      `Your ${shared} ${shared.includes(" and ") ? "were" : "was"} saved on ${day} at ${host}. ${name ?? "The owner"} confirmed that you agreed to be contacted; you can change your mind at any time.`,
    ],
    wrong: `If you didn’t agree, open that link and erase the details. ${name ?? "The owner"} will be asked to delete any copies.`,
  };
}

/** In UTF-16 code units. Display names may be longer. */
const maxNameLength = 30;

const purposeTexts: Record<ConsentPurpose, string> = {
  answer: "that your details may be stored and used to answer you",
  newsletter: "that news may be emailed to you",
  "in-person": "to be contacted",
};

type RequestKind = "withdrawn" | "erased" | "newsletter";

type OwnerMail = { to: string; lead: Lead; kind: RequestKind; baseUrl: string };

/** Tells the owner to stop using a person's details, also those that were exported. */
export function ownerMail({ to, lead, kind, baseUrl }: OwnerMail): Mail {
  const [name, address] = [nameForMessage(lead.name), lead.email || lead.phone];
  const person = (name && address ? `${name} (${address})` : name || address) || "A visitor";
  const { subject, text, todo } = ownerTexts[kind];
  return letterMail(
    {
      subject,
      heading: subject,
      paragraphs: [`${person} ${text}`, todo],
      notes: ["You get this email because the law requires you to honor such a request."],
    },
    { to, baseUrl },
  );
}

const ownerTexts: Record<RequestKind, { subject: string; text: string; todo: string }> = {
  withdrawn: {
    subject: "A lead withdrew their consent",
    text: "withdrew the consent to be contacted by you. We removed the details from your leads.",
    todo: "Don’t contact them anymore, and delete the details wherever else you stored them, such as an exported file or your phone.",
  },
  erased: {
    subject: "A lead erased their details",
    text: "erased the details that they had shared with you.",
    todo: "Delete them wherever else you stored them, such as an exported file or your phone.",
  },
  newsletter: {
    subject: "A lead unsubscribed from your news",
    text: "doesn’t want to get news from you anymore. You may still answer them.",
    todo: "Remove the address from your mailing list.",
  },
};

type RecipientMail = { to: string; lead: Lead; kind: RequestKind; baseUrl: string };

/** The same for an address that the lead was forwarded to: only what is needed to find it there, and no link of a stranger. */
export function recipientMail({ to, lead, kind, baseUrl }: RecipientMail): Mail {
  const { host } = new URL(baseUrl);
  const person = nameForMessage(lead.name) ?? nameForMessage(lead.company) ?? "A person without a name";
  const { subject, text, todo } = recipientTexts[kind];
  return letterMail(
    {
      subject,
      heading: subject,
      paragraphs: [
        `On ${formatDate(lead.createdAt)}, ${person} shared their details on a business card at ${host}, and we forwarded them to this address. ${text}`,
        todo,
      ],
      notes: ["You get this email because the law requires us to tell everyone who got the details."],
    },
    { to, baseUrl },
  );
}

const recipientTexts: typeof ownerTexts = {
  withdrawn: {
    subject: "Delete the details of a lead",
    text: "This person has withdrawn their consent.",
    todo: "Delete these details wherever you stored them, and don’t contact this person anymore.",
  },
  erased: {
    subject: "Delete the details of a lead",
    text: "This person has erased them.",
    todo: "Delete these details wherever you stored them.",
  },
  newsletter: {
    subject: "A lead doesn’t want news anymore",
    text: "This person doesn’t want to get news anymore.",
    todo: "Remove the address from your mailing list. You may still answer this person.",
  },
};
