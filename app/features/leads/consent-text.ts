import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { LeadFormSettings } from "#app/features/leads/schema.ts";

/** Who gets the details and how long they are stored, as a consent text names them. */
export type ConsentParties = {
  displayName: string;
  company: string;
  months: number;
  /** Whether the owner passes leads on to others: see services-data.server.ts. */
  hasServices: boolean;
};

/** What a visitor agrees to for a purpose, unless the owner wrote their own words. */
export const consentTemplates = {
  answer: "Yes, you may store my details and use them to answer me.",
  newsletter: "Yes, you may also email me news. I can stop that at any time.",
} as const;

/** The texts of a card's form, for the purposes that it asks for. The owner's words never replace who, how long and the right to withdraw. */
export function consentTexts(
  settings: Pick<LeadFormSettings, "consentTexts" | "hasNewsletter" | "fields">,
  parties: ConsentParties,
): { purpose: ConsentPurpose; text: string }[] {
  const textOf = (purpose: keyof typeof consentTemplates) =>
    `${asSentence(settings.consentTexts[purpose] || consentTemplates[purpose])} ${partiesText(parties)}`;
  const answer = { purpose: "answer" as const, text: textOf("answer") };
  if (!offersNewsletter(settings)) return [answer];
  return [answer, { purpose: "newsletter" as const, text: textOf("newsletter") }];
}

/** Adds a full stop to words that end without one, also before a closing quote or bracket. */
function asSentence(words: string): string {
  return /[.!?…\p{Sentence_Terminal}][\p{Pe}\p{Pf}"']*$/u.test(words) ? words : `${words}.`;
}

/** A newsletter needs an address. */
export function offersNewsletter({
  hasNewsletter,
  fields,
}: Pick<LeadFormSettings, "hasNewsletter" | "fields">): boolean {
  return hasNewsletter && fields.email !== "hidden";
}

/**
 * What an owner confirms about someone who gave their card or details in person. In the owner's words, because the person didn't read it
 * here; they do in the mail that they get.
 */
export function inPersonText({
  displayName,
  months,
  hasServices,
}: Pick<ConsentParties, "displayName" | "months" | "hasServices">): string {
  const name = displayName.trim();
  const me = name ? `me, ${name},` : "me";
  return (
    `This person gave ${me} their card or contact details in person and agreed to be contacted by me. ` +
    `The details go only to me${hasServices ? servicesText : ""}, and are deleted after ${months} months at the latest. This person can withdraw their consent at any time.`
  );
}

function partiesText({ displayName, company, months, hasServices }: ConsentParties): string {
  const who = [displayName.trim() || "the owner of this card", company.trim()].filter(Boolean).join(", ");
  return `My details go only to ${who}${hasServices ? servicesText : ""}, and are deleted after ${months} months at the latest. I can withdraw my consent at any time.`;
}

const servicesText = ", and to colleagues and services that handle these contacts (such as a CRM or a team chat)";

/**
 * Whether what a visitor agreed to allows passing the lead on to colleagues and services: each text that they didn't withdraw names them.
 * Leads from before the owner passed any on stay with the owner.
 */
export function allowsServices(consents: readonly { text: string; withdrawnAt: number | null }[]): boolean {
  const active = consents.filter(({ withdrawnAt }) => withdrawnAt === null);
  return active.length > 0 && active.every(({ text }) => namesServices(text));
}

/** The owner's own words can't contain this end of a text. */
function namesServices(text: string): boolean {
  const at = text.lastIndexOf(", and are deleted after ");
  return at >= 0 && text.slice(0, at).endsWith(servicesText) && agreedMonths([{ text }], Infinity) < Infinity;
}

/** For how many months a lead may be stored: as its owner decided, but no longer than the texts say that its visitor agreed to. */
export function agreedMonths(texts: readonly { text: string }[], ownerMonths: number): number {
  return texts.reduce((shortest, { text }) => {
    // The owner's own words come before this end of both texts, which is the same in every stored text.
    const told =
      /, and are deleted after (\d+) months at the latest\. (?:I can withdraw my|This person can withdraw their) consent at any time\.$/.exec(
        text,
      );
    return told ? Math.min(shortest, Number(told[1])) : shortest;
  }, ownerMonths);
}
