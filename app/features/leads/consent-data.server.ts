import { createHash, randomUUID } from "node:crypto";

import type { Selectable } from "kysely";

import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import { readPurpose } from "#app/features/leads/schema.ts";
import type { ConsentSource, LeadConsent } from "#app/features/leads/schema.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { LeadSchema } from "#app/services/database/lead-schema.ts";

export type ConsentText = { id: string; purpose: ConsentPurpose; version: number; text: string; hash: string };

/** SHA-256 of a text in UTF-8, in hexadecimal, as in `consent_text.hash`. */
export function hashConsentText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/**
 * Stores a text that visitors are asked to agree to, as a new version for this purpose unless it is known. Call it in a transaction that
 * locks something of the owner, so that two new texts get different versions.
 */
export async function ensureConsentText(
  trx: Trx,
  { ownerId, purpose, text, now }: { ownerId: string; purpose: ConsentPurpose; text: string; now: number },
): Promise<ConsentText> {
  const hash = hashConsentText(text);
  const known = await findConsentText(trx, { ownerId, purpose, hash });
  if (known) return known;
  const { latest } = await trx
    .selectFrom("consent_text")
    .select((row) => row.fn.coalesce(row.fn.max("version"), row.val(0)).as("latest"))
    .where("owner_id", "=", ownerId)
    .where("purpose", "=", purpose)
    .executeTakeFirstOrThrow();
  const created = { id: randomUUID(), purpose, version: latest + 1, text, hash };
  await trx
    .insertInto("consent_text")
    .values({ ...created, owner_id: ownerId, created_at: now })
    .execute();
  return created;
}

/** The owner's text with this hash; undefined for one that we never showed for this purpose. */
export async function findConsentText(
  db: Db | Trx,
  { ownerId, purpose, hash }: { ownerId: string; purpose: ConsentPurpose; hash: string },
): Promise<ConsentText | undefined> {
  // Forms and devices send it, and PostgreSQL rejects text with a NUL.
  if (!/^[\da-f]{64}$/.test(hash)) return undefined;
  const row = await db
    .selectFrom("consent_text")
    .select(["id", "purpose", "version", "text", "hash"])
    .where("owner_id", "=", ownerId)
    .where("purpose", "=", purpose)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row && { ...row, purpose };
}

type ConsentToStore = { leadId: string; ownerId: string; source: ConsentSource; givenAt: number };

/** Stores the proof that a visitor agreed to these texts. */
export async function insertConsents(
  trx: Trx,
  { leadId, ownerId, source, givenAt }: ConsentToStore,
  texts: readonly ConsentText[],
): Promise<void> {
  if (texts.length === 0) return;
  const rows = texts.map(({ id, purpose, version, hash }) => ({
    lead_id: leadId,
    owner_id: ownerId,
    purpose,
    text_id: id,
    text_version: version,
    text_hash: hash,
    source,
    given_at: givenAt,
  }));
  await trx.insertInto("lead_consent").values(rows).execute();
}

/** The proof of a lead's consents, each with the text that the visitor saw. */
export async function listConsents(db: Db | Trx, leadId: string): Promise<LeadConsent[]> {
  const rows = await db
    .selectFrom("lead_consent")
    .innerJoin("consent_text", "consent_text.id", "lead_consent.text_id")
    .selectAll("lead_consent")
    .select("consent_text.text")
    .where("lead_id", "=", leadId)
    .orderBy("lead_consent.purpose")
    .execute();
  return rows.map(toConsent);
}

function toConsent(row: Selectable<LeadSchema["lead_consent"]> & { text: string }): LeadConsent {
  return {
    purpose: readPurpose(row.purpose),
    version: row.text_version,
    hash: row.text_hash,
    text: row.text,
    source: readConsentSource(row.source),
    givenAt: row.given_at,
    withdrawnAt: row.withdrawn_at,
  };
}

function readConsentSource(text: string): ConsentSource {
  return text === "kiosk" || text === "in person" ? text : "form";
}
