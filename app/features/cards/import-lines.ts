/** A line of a contact file: where it begins and ends in the file has no meaning any more. */
export type ContactCard = { version: string; lines: string[]; isWhole: boolean };

/**
 * The cards of a contact file (vCard 2.1, 3.0 and 4.0), each as its unfolded lines with the values in plain text. Cards within cards
 * (AGENT) are passed over. At most `limit` are taken apart; `total` counts them all. One pass over the text.
 */
export function splitContactFile(text: string, limit: number): { cards: ContactCard[]; total: number } {
  const cards: ContactCard[] = [];
  let total = 0;
  let depth = 0;
  let open: ContactCard | undefined;
  for (const line of unfolded(text)) {
    if (isBegin.test(line)) {
      depth += 1;
      if (depth > 1) continue;
      total += 1;
      open = total <= limit ? { version: "3.0", lines: [], isWhole: false } : undefined;
      if (open) cards.push(open);
    } else if (isEnd.test(line)) {
      depth = Math.max(0, depth - 1);
      if (open && depth === 0) open.isWhole = true;
    } else if (depth === 1 && open) {
      open.version = /^VERSION\s*:\s*([\d.]{1,5})\s*$/i.exec(line)?.[1] ?? open.version;
      open.lines.push(line);
    }
  }
  return { cards, total };
}

/** Whether a file says of itself that it is one. */
export function isContactFile(text: string): boolean {
  return /^\s*BEGIN:VCARD\s*$/im.test(text.slice(0, 10_000));
}

/** RFC 6350 §3.2: a line that begins with a space or tab goes on with the one before; so does quoted-printable after "=". */
function* unfolded(text: string): Generator<string> {
  let parts: string[] = [];
  let isQuoted = false;
  for (const line of physicalLines(text)) {
    const goesOn = isQuoted && parts.at(-1)?.endsWith("=") === true;
    if (goesOn) parts[parts.length - 1] = parts.at(-1)?.slice(0, -1) ?? "";
    if (goesOn) parts.push(line);
    else if (parts.length > 0 && /^[ \t]/.test(line)) parts.push(line.slice(1));
    else {
      yield plain(parts.join(""), isQuoted);
      parts = [line];
      isQuoted = quotedPrintable.test(headOf(line));
    }
  }
  yield plain(parts.join(""), isQuoted);
}

function* physicalLines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    yield text.slice(start, text[next - 1] === "\r" ? next - 1 : next);
    start = next + 1;
  }
}

/** vCard 2.1 writes what is not ASCII as "=C3=A9", in the charset that it names. */
function plain(line: string, isQuoted: boolean): string {
  if (!isQuoted || line.length > maxQuoted) return line;
  const head = headOf(line);
  const value = line.slice(head.length + 1);
  const bytes = Uint8Array.from(quotedBytes(value));
  const charset = /;CHARSET="?([\w-]{1,20})/i.exec(head)?.[1] ?? "utf-8";
  const text = decoderOf(charset).decode(bytes);
  const rest = head.replace(/;(?:ENCODING=)?QUOTED-PRINTABLE|;CHARSET=[^;:]*/gi, "");
  return `${rest}:${text.replace(/\r\n?|\n/g, String.raw`\n`)}`;
}

function* quotedBytes(value: string): Generator<number> {
  const encoder = new TextEncoder();
  for (let at = 0; at < value.length; at++) {
    const hex = value[at] === "=" ? /^[\da-f]{2}$/i.exec(value.slice(at + 1, at + 3))?.[0] : undefined;
    if (hex) {
      at += 2;
      yield Number.parseInt(hex, 16);
    } else yield* encoder.encode(value[at]);
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder(); // a charset that nobody knows
    throw error;
  }
}

/** What stands before the value. */
function headOf(line: string): string {
  const colon = line.indexOf(":");
  return colon === -1 ? "" : line.slice(0, colon);
}

const isBegin = /^\s*(?:[\w-]{1,40}\.)?BEGIN\s*:\s*VCARD\s*$/i;
const isEnd = /^\s*(?:[\w-]{1,40}\.)?END\s*:\s*VCARD\s*$/i;
const quotedPrintable = /;(?:ENCODING=)?QUOTED-PRINTABLE(?:;|$)/i;
const maxQuoted = 50_000;
