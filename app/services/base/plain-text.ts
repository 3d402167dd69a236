/**
 * Normalizes text to a single line: NFC, trimmed, without control characters and lone surrogates; line breaks and tabs become one space.
 * "Ada\r\nBcc: x" -> "Ada Bcc: x". Idempotent.
 */
export function oneLine(text: string): string {
  return composed(text.toWellFormed().replace(breaksAndTabs, " ").replace(controls, "")).trim();
}

/** Normalizes text of several lines like `oneLine`, but every kind of line break becomes "\n". */
export function paragraph(text: string): string {
  const lines = text.toWellFormed().replace(lineBreaks, "\n").replaceAll("\t", " ");
  return composed(lines.replace(controlsButLineFeed, "")).trim();
}

/**
 * Removes the marks that change the writing direction, which can make "fdp.exe" look like "exe.pdf", and byte order marks. Keeps the
 * joiners that Persian, Indic scripts and emoji need.
 */
export function withoutDirectionMarks(text: string): string {
  return text.replace(directionMarks, "");
}

/** `oneLine` without direction marks. They are removed first, so that an accent behind one joins its letter and a space before one is trimmed. */
export function plainLine(text: string): string {
  return oneLine(withoutDirectionMarks(text));
}

/** Shortens text to `limit` UTF-16 code units, with "…" at the cut. Never splits a surrogate pair. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "");
  return `${start.trimEnd()}…`;
}

/** In UTF-16 code units. */
const maxNameLength = 60;

/**
 * A name for a message, on one line; undefined for one that a mail or chat program could turn into a link: anyone can type anything into a
 * form, and it must not become a stranger's link in a mail of ours.
 */
export function nameForMessage(name: string): string | undefined {
  const line = plainLine(name);
  return line === "" || linkLike.test(line) ? undefined : shortened(line, maxNameLength);
}

/** With the full stops of other scripts, which domains may have (UTS #46, 4.1). */
const linkLike = /[@/\\<>]|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2}|www/iu;

/**
 * How long a text is for our limits: in Unicode code points. Not in graphemes, whose number depends on the Unicode version: the
 * browser's counter and the server must agree.
 */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Text for HTML and XML, in content and in attributes: "Tea & Co" -> "Tea &#38; Co". */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Removes addresses from text for the log: "mail to ada@example.com failed" -> "mail to … failed". */
export function withoutEmails(text: string): string {
  return text.replace(emails, "…");
}

const emails = /[^\s<>()"'=,;:]{1,64}@[^\s<>()"'=,;:]{1,255}/g;

// U+0085, U+2028 and U+2029 are line breaks in Python, Java and many readers of contact files.
const breaksAndTabs = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;
const controls = /\p{Cc}/gu;
const controlsButLineFeed = /(?!\n)\p{Cc}/gu;
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Normalizes to NFC. Its time is quadratic in the length of a run of accents, so a letter keeps at most 30 (UAX #15 §13, stream-safe text);
 * no language needs more than a few.
 */
function composed(text: string): string {
  // Again afterwards, because some accents decompose into two.
  return text.replace(accents, "$1").normalize("NFC").replace(accents, "$1");
}

/** Matches every run of accents once: a pattern that needs 31 of them would read a run of 30 from each of its characters. */
const accents = /(\p{M}{1,30})\p{M}*/gu;
