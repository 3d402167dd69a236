import { foldText } from "#app/services/base/fold-text.ts";

import { confidenceOf } from "./card-text.ts";
import type { CardLine, Proposal } from "./card-text.ts";

/** The person's name: the line whose words are in the email address, or the largest one that looks like a name. */
export function findName(lines: readonly CardLine[], email: string | undefined): Proposal | undefined {
  const tallest = Math.max(...lines.map(({ height }) => height), 1);
  const best = lines
    .flatMap((line) => {
      const value = cleanName(line.text);
      if (!looksLikeName(value)) return [];
      const isMailed = email !== undefined && isInAddress(value, email);
      const hasTwoWords = /\s/.test(value);
      if (!hasTwoWords && !isMailed && line.height < tallest * 0.8) return [];
      const score =
        line.height / tallest + (isMailed ? 1.5 : 0) + (hasTwoWords ? 0.3 : 0) - (/\d/.test(value) ? 0.2 : 0);
      return [{ value, line, score }];
    })
    .reduce<{ value: string; line: CardLine; score: number } | undefined>(
      (found, next) => (found && found.score >= next.score ? found : next),
      undefined,
    );
  if (!best) return undefined;
  const { value, line } = best;
  const confidence = confidenceOf(line, value);
  // A digit was read for a letter that the reader doesn't know, such as the fourth of "Weißbach".
  return {
    value: withCase(value),
    line,
    read: value,
    confidence: /\d/.test(value) ? Math.min(confidence, 40) : confidence,
  };
}

/** The company: the line with a legal form, or with the name of the mail's domain. */
export function findCompany(lines: readonly CardLine[], email: string | undefined): Proposal | undefined {
  const brand = foldText(email?.split("@")[1]?.split(".").at(-2) ?? "");
  const score = ({ text }: CardLine) => {
    if (/@|www\.|\d{4}/i.test(text)) return 0;
    const isBrand =
      brand.length > 2 &&
      foldText(text)
        .replace(/[^a-z\d]/g, "")
        .includes(brand.replace(/[^a-z\d]/g, ""));
    return (legalForm.test(text) ? 2 : 0) + (isBrand ? 1 : 0);
  };
  const line = lines.reduce<CardLine | undefined>(
    (found, next) => (score(next) > (found ? score(found) : 0) ? next : found),
    undefined,
  );
  if (!line) return undefined;
  const value = repairForm(line.text.replace(/^[^\p{L}\d]+|[^\p{L}\d.)]+$/gu, ""));
  return { value, line, read: value, confidence: confidenceOf(line, value) };
}

/** Whether a line is a job title. */
export function isTitle(text: string): boolean {
  return titleWords.test(foldText(text));
}

/** Whether a line has a legal form, as companies have. */
export function isCompany(text: string): boolean {
  return legalForm.test(text);
}

const legalForm =
  /(?:^|[\s,])(?:GmbH|AG|KG|OHG|UG|e\.\s?[KV]\.|SE|Ltd\.?|LLC|LLP|Inc\.?|Corp\.?|PLC|S\.?A\.?R\.?L\.?|SAS|SASU|S\.?A\.?|S\.?L\.?U?\.?|Sp\.?\s?z\s?[o0]\.?\s?[o0]\.?|B\.?V\.?|N\.?V\.?|S\.?p\.?A\.?|S\.?r\.?l\.?|AB|A\/S|ApS|Oy|AS|s\.r\.o\.)(?=$|[\s,.])/;

/** "Sp. z 0.0." -> "Sp. z o.o.": a zero can't be part of it. */
function repairForm(text: string): string {
  return text.replace(/\bSp\.?\s?z\s?[o0]\.?\s?[o0]\.?$/i, (form) => form.replaceAll("0", "o"));
}

const titleWords =
  /\b(?:manager(?:in)?|director[a]?|direct(?:eur|rice)|direktor(?:in)?|dyrektor|head of|chief|officer|ceo|cto|cfo|coo|founder|owner|president|partner|engineer|developer|entwickler(?:in)?|\w*entwickler(?:in)?|architect[eo]?|arquitect[oa]|consultant[e]?|consultor[a]?|berater(?:in)?|sales|marketing|vertrieb|ventas|commercial[e]?|account|leiter(?:in)?|gesch\w*hrer(?:in)?|\w*manager(?:in)?|avocate?|abogad[oa]|anwalt|anwaltin|lawyer|attorney|radca|prawny|specjalista|specjalistads|kierownik|projektu|chef de|responsable|gerente|assistant[e]?|designer(?:in)?|professor|analyst|advisor|agent|coordinator|koordinator(?:in)?)\b/;

const addressWords =
  /(?:allee|stra(?:ss|ß)e|weg|platz|gasse)\b|\b(?:street|str\.|strasse|straße|road|rd|avenue|ave|lane|drive|square|allee|platz|weg|gasse|rue|boulevard|bd|calle|avenida|plaza|paseo|ul|al|suite|floor|box|via|piazza|straat)\b/i;

/** Academic titles stay with the name. What is no letter at its ends, such as a bar beside it, doesn't. */
function cleanName(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}.]+$/gu, "").replace(/\s+/g, " ");
}

function looksLikeName(text: string): boolean {
  if (/[@/:|]|www|\.(?:com|org|net|example)\b/i.test(text)) return false;
  const words = text.split(" ");
  if (words.length > 6 || text.length < 3 || text.length > 60) return false;
  if (legalForm.test(text) || isTitle(text) || addressWords.test(text)) return false;
  return words.every((word) => particles.has(word.toLowerCase()) || /^\p{Lu}(?:\d?[\p{L}'’.-])*$/u.test(word));
}

const particles = new Set(
  "von van der den de del della di da dos das du la le los las ten ter zu zur zum und y e i af av al el bin ibn".split(
    " ",
  ),
);

/** Whether a word of the name, or its initial and a word, is in the part before the "@". */
function isInAddress(name: string, email: string): boolean {
  const local = foldText(email.split("@")[0] ?? "").replace(/[^a-z]/g, "");
  return foldText(name)
    .split(/[^a-z]+/)
    .some((word) => word.length > 2 && (local.includes(word) || local.includes(spelledOut(word))));
}

/** As in addresses: the reader may have kept an umlaut's letter alone ("muller" is in "mueller" without the e). */
function spelledOut(word: string): string {
  return word.replace(/u/, "ue");
}

/** "MARIA VON BERG" -> "Maria von Berg". Mixed case stays. */
function withCase(name: string): string {
  if (name !== name.toUpperCase()) return name;
  return name
    .split(" ")
    .map((word, index) => {
      const small = word.toLowerCase();
      if (index > 0 && particles.has(small)) return small;
      return small.replace(/(^|[-'’.])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
    })
    .join(" ");
}
