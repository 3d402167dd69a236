import { createHash, randomInt } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

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
 * Gives codes to cards without one: those of older releases, and those that an older process adds during an update. Several processes may
 * run it at once. Requests are served between its transactions.
 */
export async function addMissingCodes({ db, events }: Pick<Services, "db" | "events">): Promise<void> {
  for (let last = ""; ;) {
    const owners = await db
      .selectFrom("card")
      .innerJoin("profile", "profile.owner_id", "card.owner_id")
      .select("card.owner_id")
      .distinct()
      .where("card.code", "is", null)
      .where("card.owner_id", ">", last)
      .orderBy("card.owner_id")
      .limit(ownersPerRead)
      .execute();
    for (const { owner_id } of owners) {
      await transact(db, (trx) => addCodesOfOwner(trx, events, owner_id));
      // SQLite answers without leaving the event loop.
      await nextTurn();
    }
    if (owners.length < ownersPerRead) return;
    last = owners.at(-1)?.owner_id ?? last;
  }
}

const ownersPerRead = 200;

async function addCodesOfOwner(trx: Trx, events: Services["events"], ownerId: string): Promise<void> {
  // Another process may be doing the same: the cards are read when it has finished.
  await lockOwner(trx, ownerId);
  const cards = await trx
    .selectFrom("card")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("code", "is", null)
    .execute();
  for (const { id } of cards) {
    const code = await takeCode(trx);
    await trx.updateTable("card").set({ code }).where("id", "=", id).where("owner_id", "=", ownerId).execute();
  }
  const [first] = cards;
  if (first) await events.record(trx, { kind: "card.saved", ownerId, cardId: first.id });
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
