import { listConsents } from "./consent-data.server.ts";
import { changeContacts, deleteContactsOfOwner } from "./contact-data.server.ts";
import { regroupDeleted, regroupLeads } from "#app/features/leads/inbox/merge/group-data.server.ts";
import type { PageCursor } from "#app/services/base/page-cursor.ts";
import { isAfterCursor, transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { SignText } from "#app/services/base/signed-token.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { removedDetails, toLead } from "./lead-row.server.ts";
import type { LeadRow } from "./lead-row.server.ts";
import { asSent, defaultRetentionMonths, emailKey } from "./rules.ts";
import type { ConsentPurpose } from "./rules.ts";
import type { Lead, LeadConsent } from "./schema.ts";

/** A page of an owner's leads, newest first; `before` is the last one of the page before. */
export async function listLeads(
  db: Db,
  { ownerId, before, limit, isQuarantined = false }: ListLeadsOptions,
): Promise<Lead[]> {
  const rows = await db
    .selectFrom("lead")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("quarantined_at", isQuarantined ? "is not" : "is", null)
    .where(isAfterCursor(before))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toLead);
}

type ListLeadsOptions = {
  ownerId: string;
  before?: PageCursor | undefined;
  limit: number;
  isQuarantined?: boolean;
};

/** The owner's lead with the proof of its consents, also one that was deleted and isn't erased yet. */
export async function findOwnLead(
  db: Db | Trx,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<{ lead: Lead; consents: LeadConsent[]; isDeleted: boolean } | undefined> {
  const row = await db
    .selectFrom("lead")
    .selectAll()
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row && { lead: toLead(row), consents: await listConsents(db, id), isDeleted: row.deleted_at !== null };
}

/** The same for the visitor, whose link names the lead: what they sent, with the name of its owner. */
export async function findVisitorLead(
  db: Db | Trx,
  id: string,
): Promise<{ lead: Lead; consents: LeadConsent[]; displayName: string } | undefined> {
  const row = await db
    .selectFrom("lead")
    .innerJoin("profile", "profile.owner_id", "lead.owner_id")
    .selectAll("lead")
    .select("profile.display_name")
    .where("lead.id", "=", id)
    .executeTakeFirst();
  return row && { lead: asSent(toLead(row)), consents: await listConsents(db, id), displayName: row.display_name };
}

type WriteDeps = Pick<Services, "db" | "events" | "sign" | "clock">;

/**
 * Erases leads of an owner, for their visitors or for the owner: everything about the person goes, and the counts stay. A lead that was
 * erased stays erased when a device sends it again. Returns those that were there.
 */
export async function eraseLeads(
  deps: WriteDeps,
  { ownerId, ids }: { ownerId: string; ids: readonly string[] },
): Promise<Lead[]> {
  const erased: Lead[] = [];
  for (let at = 0; at < ids.length; at += maxErased)
    erased.push(
      ...(await transact(deps.db, (trx) =>
        eraseInTransaction(trx, deps, { ownerId, ids: ids.slice(at, at + maxErased) }),
      )),
    );
  return erased;
}

/** The same for at most 100 leads, in a transaction that writes more. */
export async function eraseInTransaction(
  trx: Trx,
  { events, sign, clock }: Pick<WriteDeps, "events" | "sign" | "clock">,
  { ownerId, ids }: { ownerId: string; ids: readonly string[] },
): Promise<Lead[]> {
  if (ids.length === 0) return [];
  const rows = await trx
    .deleteFrom("lead")
    .where("owner_id", "=", ownerId)
    .where("id", "in", ids)
    .returningAll()
    .execute();
  if (rows.length === 0) return [];
  const found = rows.map(({ id }) => id);
  await trx.deleteFrom("lead_consent").where("lead_id", "in", found).execute();
  await trx.deleteFrom("lead_tag").where("lead_id", "in", found).execute();
  await trx.deleteFrom("lead_recipient").where("lead_id", "in", found).execute();
  await trx.deleteFrom("lead_reply").where("lead_id", "in", found).execute();
  await deletePairs(trx, found);
  // What was merged with one of them is another submission, with its own consent.
  await regroupLeads(trx, rows);
  await changeContacts(trx, { ownerId, ids: rows.flatMap(({ id, merged_into }) => [id, merged_into]) });
  await trx
    .insertInto("erased_lead")
    .values(found.map((id) => ({ hash: erasedKey(sign, id), erased_at: clock() })))
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  for (const leadId of found) await events.record(trx, { kind: "lead.erased", ownerId, leadId });
  return rows.map(toLead);
}

const maxErased = 100;

async function deletePairs(trx: Trx, leadIds: readonly string[]): Promise<void> {
  await trx.deleteFrom("lead_distinct").where("lead_id", "in", leadIds).execute();
  await trx.deleteFrom("lead_distinct").where("other_id", "in", leadIds).execute();
}

/** The keys of what is remembered, with that of the previous secret: what people said outlasts a rotation. */
export function withPrevious(sign: Services["sign"], keyOf: (sign: SignText) => string): string[] {
  return [sign, sign.previous].flatMap((one) => (one ? keyOf(one) : []));
}

/** Under what an erased lead is remembered: nothing leads back to the person. */
export function erasedKey(sign: SignText, leadId: string): string {
  return sign("erased lead", leadId);
}

export type WithdrawResult = {
  /** The lead as it was before. */
  lead: Lead;
  /** Whether a consent is left. Without one, the details were removed. */
  isActive: boolean;
};

/**
 * Withdraws a visitor's consent for some purposes. With the last one, everything about the person is removed but the proof: texts, times,
 * and a keyed hash of the address. Undefined when there is no such lead or nothing to withdraw.
 */
export async function withdrawConsent(
  deps: WriteDeps,
  withdrawal: { id: string; purposes: readonly ConsentPurpose[] },
): Promise<WithdrawResult | undefined> {
  return transact(deps.db, (trx) => withdrawInTransaction(trx, deps, withdrawal));
}

/** The same in a transaction that writes more. */
export async function withdrawInTransaction(
  trx: Trx,
  { events, sign, clock }: Omit<WriteDeps, "db">,
  { id, purposes }: { id: string; purposes: readonly ConsentPurpose[] },
): Promise<WithdrawResult | undefined> {
  // Locks the lead.
  const row = await trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const { numUpdatedRows } = await trx
    .updateTable("lead_consent")
    .set({ withdrawn_at: clock() })
    .where("lead_id", "=", id)
    .where("purpose", "in", purposes)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  const active = await trx
    .selectFrom("lead_consent")
    .select("purpose")
    .where("lead_id", "=", id)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (!active) {
    await removeDetails(trx, row, { sign, now: clock() });
    await regroupLeads(trx, [row]);
  }
  // Also where only news are withdrawn: mailing lists of the owner have to be notified.
  await changeContacts(trx, { ownerId: row.owner_id, ids: [id, row.merged_into] });
  await events.record(trx, { kind: "lead.withdrawn", ownerId: row.owner_id, leadId: id });
  return { lead: toLead(row), isActive: active !== undefined };
}

async function removeDetails(
  trx: Trx,
  row: LeadRow,
  { sign, now }: { sign: Services["sign"]; now: number },
): Promise<void> {
  const { id, owner_id } = row;
  const { email } = asSent(toLead(row));
  const proof = { withdrawn_at: now, proof_hash: email && proofKey(sign, owner_id, email) };
  // What is left says nothing about the person, so it isn't shown with their other leads either.
  const separate = { merged_into: null, merge_parent: null, merge_filled: "[]" };
  await trx
    .updateTable("lead")
    .set({ ...removedDetails, ...proof, ...separate })
    .where("id", "=", id)
    .execute();
  await trx.deleteFrom("lead_tag").where("lead_id", "=", id).execute();
  await trx.deleteFrom("lead_recipient").where("lead_id", "=", id).execute();
  await trx.deleteFrom("lead_reply").where("lead_id", "=", id).execute();
  await deletePairs(trx, [id]);
}

/** What is left of an address after a withdrawal: with the address at hand, an owner can show that consent was given. */
export function proofKey(sign: SignText, ownerId: string, email: string): string {
  return sign("address of a lead", `${ownerId}\n${emailKey(email)}`);
}

export async function findRetentionMonths(db: Db | Trx, ownerId: string): Promise<number> {
  const row = await db
    .selectFrom("lead_setting")
    .select("retention_months")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row?.retention_months ?? defaultRetentionMonths;
}

/** Deletes a card's form and leads, after the card. */
export async function deleteLeadsOfCard(trx: Trx, cardId: string): Promise<void> {
  // First: a lead that is being created holds this row.
  await trx.deleteFrom("lead_form").where("card_id", "=", cardId).execute();
  await lockLeadsOfCard(trx, cardId);
  const leads = trx.selectFrom("lead").select("id").where("card_id", "=", cardId);
  await trx.deleteFrom("lead_consent").where("lead_id", "in", leads).execute();
  await trx.deleteFrom("lead_tag").where("lead_id", "in", leads).execute();
  await trx.deleteFrom("lead_recipient").where("lead_id", "in", leads).execute();
  await trx.deleteFrom("lead_reply").where("lead_id", "in", leads).execute();
  await trx.deleteFrom("lead_distinct").where("lead_id", "in", leads).execute();
  await trx.deleteFrom("lead_distinct").where("other_id", "in", leads).execute();
  const rows = await trx
    .deleteFrom("lead")
    .where("card_id", "=", cardId)
    .returning(["id", "owner_id", "merged_into", "merge_parent"])
    .execute();
  const [first] = rows;
  if (!first) return;
  const ownerId = first.owner_id;
  await regroupDeleted(trx, ownerId, rows);
  await changeContacts(trx, { ownerId, ids: rows.flatMap(({ id, merged_into }) => [id, merged_into]) });
}

/** Whatever adds something to a lead locks it: afterwards all of that is there to be deleted, and nothing is added anymore. */
async function lockLeadsOfCard(trx: Trx, cardId: string): Promise<void> {
  await trx
    .updateTable("lead")
    .set((lead) => ({ status: lead.ref("status") }))
    .where("card_id", "=", cardId)
    .execute();
}

/** Deletes all that an account has of leads, after the account. */
export async function deleteLeadsOfOwner(trx: Trx, ownerId: string): Promise<void> {
  for (const table of [
    "lead_form",
    "lead_setting",
    // Before what is added to them under their lock: an address or a tag that is being added would be left.
    "lead",
    "lead_consent",
    "lead_tag",
    "lead_distinct",
    "lead_recipient",
    "lead_reply",
    "consent_text",
  ] as const)
    await trx.deleteFrom(table).where("owner_id", "=", ownerId).execute();
  await deleteContactsOfOwner(trx, ownerId);
}
