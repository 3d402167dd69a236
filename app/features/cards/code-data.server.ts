import { createHash, randomInt } from "node:crypto";

import type { Trx } from "#app/services/database/database.server.ts";

import { codeAlphabet, codeLength } from "./address-rules.ts";

/** A new code that no card ever had. It stays taken even if its card is deleted. */
export async function takeCode(trx: Trx): Promise<string> {
  for (;;) {
    const code = Array.from({ length: codeLength }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto("card_code")
      .values({ code })
      .onConflict((conflict) => conflict.column("code").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) return code;
  }
}

/**
 * The id of the card that a form creates: the same for the same form, and impossible to choose for anyone else. Otherwise someone
 * who knows the address of a deleted card could create one there, and printed codes would lead to it. A UUID (RFC 9562 §5.8,
 * version 8).
 */
export function deriveCardId(ownerId: string, formId: string): string {
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
