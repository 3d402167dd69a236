import { setImmediate as nextTurn } from "node:timers/promises";

/** ISO 32000-1 §7.3.5: a name may be written with escapes ("/J#61vaScript" -> "/JavaScript"). */
export function unescapeNames(text: string): string {
  return text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * The offsets of the keyword `stream` of each object stream (ISO 32000-1 §7.5.7). Undefined when it can't be told what one contains: it
 * has other filters than a single FlateDecode, or a dictionary is damaged or very long. Reads the dictionary after every `obj`, also
 * after one inside a string, because the cross-reference table may point anywhere.
 */
export async function findObjectStreams(bytes: Buffer): Promise<Set<number> | undefined> {
  const text = bytes.toString("latin1");
  const found = new Set<number>();
  let [readChars, pauseAt] = [0, charsPerTurn];
  for (let at = text.indexOf("obj"); at >= 0; at = text.indexOf("obj", at + 3)) {
    const start = skipSpace(text, at + 3);
    const dictionary = text.startsWith("<<", start) ? readDictionary(text, start) : { end: start, tokens: [] };
    if (!dictionary) return undefined;
    const { end, tokens } = dictionary;
    if (text.startsWith("stream", end) && holdsObjects(tokens)) {
      if (!isOnlyDeflated(tokens) || !/^stream\r?\n/.test(text.slice(end, end + 8))) return undefined;
      found.add(end);
    }
    readChars += end - at;
    // Dictionaries inside strings of others are read repeatedly.
    if (readChars > 2 * text.length) return undefined;
    if (at + readChars < pauseAt) continue;
    pauseAt = at + readChars + charsPerTurn;
    await nextTurn();
  }
  return found;
}

function holdsObjects(tokens: readonly string[]): boolean {
  return tokens.includes("/First") || tokens.includes("/ObjStm");
}

function isOnlyDeflated(tokens: readonly string[]): boolean {
  // `F` is an external file, or short for `Filter` as `DP` is for `DecodeParms`.
  if (["/F", "/DP", "/DecodeParms"].some((name) => tokens.includes(name))) return false;
  const at = tokens.indexOf("/Filter");
  if (at !== tokens.lastIndexOf("/Filter")) return false;
  const [value, ...rest] = tokens.slice(at + 1, at + 4);
  return at >= 0 && (value === "/FlateDecode" || [value, ...rest].join("") === "[/FlateDecode]");
}

/** The tokens from `<<` to its `>>`, names unescaped and strings left out, and where the next token starts. */
function readDictionary(text: string, start: number): { end: number; tokens: string[] } | undefined {
  const tokens: string[] = [];
  let [at, depth] = [start, 0];
  while (at < text.length && tokens.length < maxTokens) {
    const end = tokenEnd(text, at);
    const token = text.slice(at, Math.min(end, at + maxNameLength));
    at = skipSpace(text, end);
    if (token.startsWith("(") || /^<[^<]/.test(token)) continue;
    tokens.push(token.startsWith("/") ? unescapeNames(token) : token);
    depth += token === "<<" ? 1 : token === ">>" ? -1 : 0;
    if (depth === 0) return { end: at, tokens };
  }
  return undefined;
}

function tokenEnd(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  if (two === "<<" || two === ">>") return at + 2;
  if (two.startsWith("<")) return indexOrEnd(text, />/g, at) + 1;
  if (two.startsWith("(")) return stringEnd(text, at);
  if (two.startsWith("/")) return indexOrEnd(text, delimiter, at + 1);
  return Math.max(at + 1, indexOrEnd(text, delimiter, at));
}

/** ISO 32000-1 §7.3.4.2: parentheses are balanced or escaped. */
function stringEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === openingParenthesis) depth += 1;
    else if (code === closingParenthesis && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Where the next token starts, after white space and comments. */
function skipSpace(text: string, start: number): number {
  let isComment = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isComment) isComment = code !== lineFeed && code !== carriageReturn;
    else if (code === percent) isComment = true;
    else if (!spaces.has(code)) return at;
  }
  return text.length;
}

function indexOrEnd(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

const delimiter = /[\0\t\n\f\r ()<>[\]{}/%]/g;
const [backslash, openingParenthesis, closingParenthesis] = [0x5c, 0x28, 0x29];
const [percent, lineFeed, carriageReturn] = [0x25, 0x0a, 0x0d];
const spaces = new Set([0x00, 0x09, lineFeed, 0x0c, carriageReturn, 0x20]);
const charsPerTurn = 131_072;
const maxTokens = 50_000;
/** "/DecodeParms" with each letter escaped, and more. */
const maxNameLength = 64;
