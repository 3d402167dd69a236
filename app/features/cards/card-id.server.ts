import { createHash } from "node:crypto";

/**
 * The id of the card that an owner's form makes: the same for the same form, and never one that somebody else can choose. Else whoever
 * knows the address of a deleted card could make one of their own there, and printed codes would lead to it.
 * @returns a UUID (RFC 9562 §5.8, version 8).
 */
export function cardIdOf(ownerId: string, formId: string): string {
  const hex = createHash("sha256").update(`card\n${ownerId}\n${formId}`).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}
