import { foldText } from "#app/services/base/fold-text.ts";

import type { CardLine, Proposal } from "./card-text.ts";
import { compareWithName, findEmails, findSites } from "./email-rules.ts";
import { findCompany, findName, isCompany, isTitle } from "./name-rules.ts";
import { findPhones } from "./phone-rules.ts";

/** A proposed value; `isSure` is false where the person has to look closely. */
export type ProposedField = { value: string; confidence: number; isSure: boolean };

export type ProposedFieldName = "name" | "email" | "phone" | "company" | "note";

export type CardReading = {
  fields: Record<ProposedFieldName, ProposedField>;
  /** Lines that aren't in any field, in the order of the card. */
  rest: string[];
};

/** Below this a person should compare the field with the card. From the measurement in decision 66. */
const sureConfidence = 80;

/** What the lines of a card say, as far as rules can tell. Title, website and address become the note. */
export function readCard(found: readonly CardLine[]): CardReading {
  const lines = found.filter(({ text, confidence }) => /[\p{L}\d]{2}/u.test(text) && confidence > 20);
  const email = findEmails(lines)[0];
  const phones = findPhones(lines);
  const phone = phones.find(({ kind }) => kind !== "fax");
  const numberLines = new Set(phones.map(({ line }) => line));
  const company = findCompany(lines, email?.value);
  const texts = lines.filter((line) => line !== company?.line && line !== email?.line && !numberLines.has(line));
  const name = findName(texts, email?.value);
  const others = lines.filter((line) => line !== company?.line && line !== name?.line);
  const noted = others.filter((line) => isNoted(line, [email, ...phones]));
  const rest = others.filter((line) => !noted.includes(line)).map((line) => withoutValues(line, [email, phone]));
  return {
    fields: {
      name: toField(name),
      email: toField(email && compareWithName(email, name?.value ?? "")),
      phone: toField(phone),
      company: toField(company),
      note: {
        value: noted.map(({ text }) => text).join("\n"),
        confidence: Math.min(100, ...noted.map(({ confidence }) => confidence)),
        isSure: true,
      },
    },
    rest: rest.filter((text) => /[\p{L}\d]{2}/u.test(text)),
  };
}

function toField(proposal: Proposal | undefined): ProposedField {
  if (!proposal) return { value: "", confidence: 0, isSure: true };
  const { value, confidence } = proposal;
  return { value, confidence, isSure: confidence >= sureConfidence };
}

/** Title, website and address, on lines without a number to call or an email address. */
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
