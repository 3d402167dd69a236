import type { CardLine, Proposal } from "./card-text.ts";

/** In the order in which they are proposed. A fax is no phone. */
const kinds = ["mobile", "phone", "other", "fax"] as const;
export type PhoneKind = (typeof kinds)[number];
export type FoundPhone = Proposal & { kind: PhoneKind };

/** The numbers of a card, the one to call first. Faxes come last. */
export function findPhones(lines: readonly CardLine[]): FoundPhone[] {
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
