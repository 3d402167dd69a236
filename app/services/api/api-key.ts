import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "meishi_";
const secretLength = 32;
const checksumLength = 6;

/** What every API key looks like, for the documentation and for scanners of secrets. */
export const keyPattern = `${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}`;

/** A new API key: the prefix, 32 random characters (190 bits) and their CRC-32 in base 62. */
export function createKey(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  return prefix + secret + checksum(secret);
}

/** Whether the text can be a key: a mistyped one isn't looked up. */
export function isWellFormedKey(text: string): boolean {
  if (!new RegExp(`^${keyPattern}$`).test(text)) return false;
  const secret = text.slice(prefix.length, prefix.length + secretLength);
  return text.slice(prefix.length + secretLength) === checksum(secret);
}

/** Whether the text contains a key, for what must not: a URL. */
export function containsKey(text: string): boolean {
  return new RegExp(keyPattern).test(text);
}

/** How a key is stored. Random enough that a fast hash is safe. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  for (let at = 0; at < checksumLength; at++) {
    digits = (alphabet[rest % alphabet.length] ?? "") + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
