import { createHash, randomBytes, randomInt } from "node:crypto";

/** A random token in base64url: 32 characters for 24 bytes, 43 for 32. */
export function newToken(bytes = 24): string {
  return randomBytes(bytes).toString("base64url");
}

/** What is stored of a token: its SHA-256 in base64url. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Six random digits. Stored only as a hash with a secret key, because all of them can be tried on a plain one. */
export function newSixDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}
