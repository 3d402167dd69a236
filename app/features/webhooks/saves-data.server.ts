import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { readKinds } from "./endpoint-row.server.ts";

type Saves = { ownerId: string; cardId: string; source: string; count: number };

/**
 * Records that contacts were saved, in the transaction that counts them, for owners whose webhooks ask for it: for everyone else a batch of
 * counts costs one more query.
 */
export async function announceSaves(trx: Trx, events: Services["events"], saves: readonly Saves[]): Promise<void> {
  const owners = new Set<string>();
  const all = [...new Set(saves.map(({ ownerId }) => ownerId))];
  for (let at = 0; at < all.length; at += 500) {
    const rows = await trx
      .selectFrom("webhook_endpoint")
      .select(["owner_id", "kinds"])
      .where("owner_id", "in", all.slice(at, at + 500))
      .where("is_on", "=", 1)
      .execute();
    for (const { owner_id, kinds } of rows) if (readKinds(kinds).includes("contact.saved")) owners.add(owner_id);
  }
  for (const { ownerId, cardId, source, count } of saves)
    if (owners.has(ownerId)) await events.record(trx, { kind: "contact.saved", ownerId, cardId, source, count });
}
