/**
 * A single line of text as a person meant it: NFC, no control characters, no broken surrogates, trimmed; line breaks and
 * tabs become one space. "Ada\r\nBcc: x" -> "Ada Bcc: x". Saying it twice changes nothing.
 */
export function oneLine(text: string): string {
  return composed(text.toWellFormed().replace(breaksAndTabs, " ").replace(controls, "")).trim();
}

/** Text of several lines: as `oneLine`, but each kind of line break becomes "\n" and stays. */
export function paragraph(text: string): string {
  const lines = text.toWellFormed().replace(lineBreaks, "\n").replaceAll("\t", " ");
  return composed(lines.replace(controlsButLineFeed, "")).trim();
}

/**
 * Text without the marks that turn the writing direction, and without a byte order mark: they can make "fdp.exe" read
 * as "exe.pdf". The joiners that Persian, Indic scripts and emoji need stay.
 */
export function withoutDirectionMarks(text: string): string {
  return text.replace(directionMarks, "");
}

/** `oneLine` without those marks. They go first: an accent behind one finds its letter, and a blank before one the end of the line. */
export function plainLine(text: string): string {
  return oneLine(withoutDirectionMarks(text));
}

/** Text of at most `limit` UTF-16 code units, with "…" where something is left off and no half sign before it. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "");
  return `${kept.trimEnd()}…`;
}

/** Text for a log: "mail to ada@example.com failed" -> "mail to … failed". */
export function withoutEmails(text: string): string {
  return text.replace(emails, "…");
}

/** A path for a log: "/u/ada@example.com" and "/u/ada%40example.com" -> "/u/…". */
export function pathWithoutEmails(path: string): string {
  if (!/@|%40/.test(path)) return path;
  const parts = path.split("/").map((part) => (/@|%40/.test(part) ? "…" : part));
  return parts.join("/");
}

const emails = /[^\s<>()"'=,;:]{1,64}@[^\s<>()"'=,;:]{1,255}/g;

// U+0085, U+2028 and U+2029 are line breaks to Python, to Java and to many who read contact files.
const breaksAndTabs = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const controls = /\p{Cc}/gu;
const controlsButLineFeed = /(?!\n)\p{Cc}/gu;
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * NFC is asked last: what stood between a letter and its accent is gone by then. Its time grows with the square of a run of accents, so
 * a letter keeps 30 of them (UAX #15 §13, stream-safe text); no language uses more than a few.
 */
function composed(text: string): string {
  // Again after it: a few accents are two when taken apart.
  return text.replace(tooManyAccents, "$1").normalize("NFC").replace(tooManyAccents, "$1");
}

const tooManyAccents = /(\p{M}{30})\p{M}+/gu;
