import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { defaultRetentionMonths, endOfRetention } from "./rules.ts";
import { defaultFormSettings, readFormSettings } from "./schema.ts";
import type { LeadFormSettings } from "./schema.ts";

export type LeadForm = { isOn: boolean; settings: LeadFormSettings; received: number; version: number };

/** The form of a card, as its owner set it up; the default, switched off, for a card without one. */
export async function findLeadForm(db: Db | Trx, cardId: string): Promise<LeadForm> {
  const row = await db.selectFrom("lead_form").selectAll().where("card_id", "=", cardId).executeTakeFirst();
  if (!row) return { isOn: false, settings: defaultFormSettings, received: 0, version: 0 };
  return {
    isOn: row.is_on === 1,
    settings: readFormSettings(row.settings),
    received: row.received,
    version: row.version,
  };
}

/** A card whose form is on, the same one every time, or undefined if visitors can't send their details to any. */
export async function findCardWithForm(db: Db, ownerId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("lead_form")
    .select("card_id")
    .where("owner_id", "=", ownerId)
    .where("is_on", "=", 1)
    .orderBy("card_id")
    .limit(1)
    .executeTakeFirst();
  return row?.card_id;
}

export type SaveLeadFormResult = { kind: "saved" } | { kind: "missing" } | { kind: "conflict"; current: LeadForm };

/** Saves the form of a card; `version` is 0 for the first time. A newer version is a conflict. */
export async function saveLeadForm(
  { db, events }: Pick<Services, "db" | "events">,
  { ownerId, cardId, version, isOn, settings, now }: SaveLeadFormOptions,
): Promise<SaveLeadFormResult> {
  return transact(db, async (trx) => {
    if (!(await lockOwnCard(trx, { ownerId, cardId }))) return { kind: "missing" };
    const current = await findLeadForm(trx, cardId);
    if (current.version !== version) return { kind: "conflict", current };
    const change = { is_on: isOn ? (1 as const) : (0 as const), settings: JSON.stringify(settings), updated_at: now };
    await trx
      .insertInto("lead_form")
      .values({ card_id: cardId, owner_id: ownerId, ...change })
      .onConflict((conflict) =>
        conflict.column("card_id").doUpdateSet((row) => ({ ...change, version: row("lead_form.version", "+", 1) })),
      )
      .execute();
    await events.record(trx, { kind: "card.saved", ownerId, cardId });
    return { kind: "saved" };
  });
}

type SaveLeadFormOptions = {
  ownerId: string;
  cardId: string;
  version: number;
  isOn: boolean;
  settings: LeadFormSettings;
  now: number;
};

/** Locks the owner until the transaction ends. False when the card is gone, or belongs to another owner. */
export async function lockOwnCard(
  trx: Trx,
  { ownerId, cardId }: { ownerId: string; cardId: string },
): Promise<boolean> {
  await lockOwner(trx, ownerId);
  const card = await trx
    .selectFrom("card")
    .select("id")
    .where("id", "=", cardId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return card !== undefined;
}

/**
 * Stores how long the owner's leads are kept. Shorter also applies to those that are stored; longer doesn't, because their visitors were
 * told otherwise. False when the account is gone.
 */
export async function saveRetention(
  db: Db,
  { ownerId, months, now }: { ownerId: string; months: number; now: number },
): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockOwner(trx, ownerId);
    const owner = await trx.selectFrom("profile").select("owner_id").where("owner_id", "=", ownerId).executeTakeFirst();
    if (!owner) return false;
    const known = await trx.selectFrom("lead_setting").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
    if ((known?.retention_months ?? defaultRetentionMonths) === months) return true;
    const change = { retention_months: months, updated_at: now };
    await trx
      .insertInto("lead_setting")
      .values({ owner_id: ownerId, ...change })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(change))
      .execute();
    const duration = endOfRetention(0, months);
    await trx
      .updateTable("lead")
      .set((row) => ({ expires_at: row("created_at", "+", duration) }))
      .where("owner_id", "=", ownerId)
      .where("quarantined_at", "is", null)
      .where((row) => row("expires_at", ">", row("created_at", "+", duration)))
      .execute();
    return true;
  });
}
