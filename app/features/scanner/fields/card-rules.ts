import { foldText } from "#app/services/base/fold-text.ts";

import { confidenceOf } from "./card-text.ts";
import type { CardLine, Proposal } from "./card-text.ts";
import { compareWithName, findEmails, findSites } from "./email-rules.ts";
import { findCompany, findName, isCompany, isTitle } from "./name-rules.ts";

/** A proposed value; `isSure` is false where the person has to look closely. */
export type ProposedField = { value: string; confidence: number; isSure: boolean };

export type ProposedFieldName = "name" | "title" | "company" | "email" | "phone" | "website" | "note";

export type CardReading = {
  fields: Record<ProposedFieldName, ProposedField>;
  /** Lines that aren't in any field, in the order of the card. */
  rest: string[];
};

/** Below this a person should compare the field with the card. From the measurement in decision 66. */
const sureConfidence = 80;

/** What the lines of a card say, as far as rules can tell. The address, and a second title or website, become the note. */
export function readCard(found: readonly CardLine[]): CardReading {
  const lines = found.filter(({ text, confidence }) => /[\p{L}\d]{2}/u.test(text) && confidence > 20);
  const email = findEmails(lines)[0];
  const phones = findPhones(lines);
  const phone = phones.find(({ kind }) => kind !== "fax");
  const numberLines = new Set(phones.map(({ line }) => line));
  const company = findCompany(lines, email?.value);
  const texts = lines.filter((line) => line !== company?.line && line !== email?.line && !numberLines.has(line));
  const name = findName(texts, email?.value);
  const title = findTitle(texts.filter((line) => line !== name?.line));
  const website = findWebsite(lines);
  const inFields = [company?.line, name?.line, title?.line, ...(website?.isWholeLine ? [website.line] : [])];
  const others = lines.filter((line) => !inFields.includes(line));
  const noted = others.filter((line) => isNoted(line, [email, ...phones]));
  const rest = others.filter((line) => !noted.includes(line)).map((line) => withoutValues(line, [email, phone]));
  return {
    fields: {
      name: toField(name),
      email: toField(email && compareWithName(email, name?.value ?? "")),
      phone: toField(phone),
      company: toField(company),
      title: toField(title),
      website: toField(website),
      note: {
        value: noted.map(({ text }) => text).join("\n"),
        confidence: Math.min(100, ...noted.map(({ confidence }) => confidence)),
        isSure: true,
      },
    },
    rest: rest.filter((text) => /[\p{L}\d]{2}/u.test(text)),
  };
}

function findTitle(lines: readonly CardLine[]): Proposal | undefined {
  const line = lines.find(({ text }) => isTitle(text));
  return line && { value: line.text, confidence: line.confidence, line, read: line.text };
}

/** The first website. What else its line has isn't lost: `isWholeLine` is false then. */
function findWebsite(lines: readonly CardLine[]): (Proposal & { isWholeLine: boolean }) | undefined {
  for (const line of lines) {
    const [site] = findSites(line.text);
    if (site === undefined) continue;
    const others = line.text
      .split(/[\s|]+/)
      .filter((word) => /[\p{L}\d]{2}/u.test(word) && !/[.,:]|^w{2,3}$/i.test(word));
    const isWholeLine = others.length === 0;
    return { value: `www.${site}`, confidence: confidenceOf(line, line.text), line, read: line.text, isWholeLine };
  }
  return undefined;
}

function toField(proposal: Proposal | undefined): ProposedField {
  if (!proposal) return { value: "", confidence: 0, isSure: true };
  const { value, confidence } = proposal;
  return { value, confidence, isSure: confidence >= sureConfidence };
}

/** Further titles and websites, and the address, on lines without a number to call or an email address. */
function isNoted(line: CardLine, used: readonly (Proposal | undefined)[]): boolean {
  if (used.some((proposal) => proposal?.line === line)) return false;
  const { text } = line;
  if (isTitle(text) || findSites(text).length > 0) return true;
  return isAddress(text) && !isCompany(text);
}

/** A street with its number, or a post code with its town. */
function isAddress(text: string): boolean {
  const plain = foldText(text);
  return (
    /\b\d{1,4}[a-z]?\s+[a-z]|[a-z.]\s+\d{1,4}[a-z]?$|\b\d{4,5}\b|\b\d\d-\d{3}\b/.test(plain) && /[a-z]{3}/.test(plain)
  );
}

/** What is left of a line after the values that have become fields, and their labels. */
function withoutValues(line: CardLine, used: readonly (Proposal | undefined)[]): string {
  const left = used.reduce(
    (text, proposal) => (proposal?.line === line ? text.replace(proposal.read, " ") : text),
    line.text,
  );
  return left.replace(/^\s*(?:(?:tel|mob|phone|mobile|mobil|e-?mail|[tmpe])[.:]*\s)+|[\s:|,-]+$/gi, "").trim();
}

/** In the order in which they are proposed. A fax is no phone. */
const kinds = ["mobile", "phone", "other", "fax"] as const;
type PhoneKind = (typeof kinds)[number];
type FoundPhone = Proposal & { kind: PhoneKind };

/** The numbers of a card, the one to call first. Faxes come last. */
function findPhones(lines: readonly CardLine[]): FoundPhone[] {
  return lines
    .flatMap((line) => findInLine(line))
    .toSorted((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind));
}

function findInLine(line: CardLine): FoundPhone[] {
  return [...line.text.matchAll(number)].flatMap((match) => {
    const value = cleanNumber(match[0]);
    const digits = value.replace(/\D/g, "").length;
    // E.164: at most 15. Fewer than seven are a post code or a house number.
    if (digits < 7 || digits > 15 || isDate(value)) return [];
    const before = line.text.slice(0, match.index);
    const words = line.words.filter(
      ({ text }) => /\d/.test(text) && match[0].includes(text.replace(/^\D+(?=[+(\d])/, "")),
    );
    const confidence = Math.min(line.confidence, ...words.map((word) => word.confidence));
    const hasLetters = /[a-z|]/i.test(match[0]);
    return [
      {
        value,
        confidence: hasLetters ? Math.min(confidence, 50) : confidence,
        line,
        kind: kindOf(before),
        read: match[0],
      },
    ];
  });
}

/** Digits with the separators that numbers are printed with; O, l, I and | may have been read for 0 and 1 between digits. */
const number = /(?:\+|\b00|\(\+?)?\s?\(?\d(?:[\d\s()./–-]|[OolI|](?=[\d\s]))*\d/g;

function cleanNumber(read: string): string {
  return read.replace(/[Oo]/g, "0").replace(/[lI|]/g, "1").replaceAll("–", "-").replace(/\s+/g, " ").trim();
}

function isDate(value: string): boolean {
  return /^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{4}-\d\d-\d\d$/.test(value);
}

/** By the last label before the number: a line may have several. */
function kindOf(before: string): PhoneKind {
  const label = /([\p{L}.]+)[^\p{L}\d]*$/u.exec(before)?.[1]?.toLowerCase().replaceAll(".", "") ?? "";
  if (/^(?:tele)?fax$|^f$|^faks$/.test(label)) return "fax";
  if (/^(?:m|c|mob|mobile?|mobil|cell|handy|gsm|kom|komórka|móvil|movil|portable|port)$/.test(label)) return "mobile";
  if (/^(?:t|p|tel|tél|phone|ph|telefon|fon|office|direct|teléfono|telefono|téléphone|d|o)$/.test(label))
    return "phone";
  return "other";
}
