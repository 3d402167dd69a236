import type { Insertable } from "kysely";

import { hashConsentText } from "#app/features/leads/consent-data.server.ts";
import { consentTexts } from "#app/features/leads/consent-text.ts";
import { announceLead, createLead } from "#app/features/leads/create-data.server.ts";
import type { NewLead } from "#app/features/leads/create-data.server.ts";
import { saveSearchText } from "#app/features/leads/inbox/search-data.server.ts";
import { saveLeadForm } from "#app/features/leads/form-data.server.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { LeadTable } from "#app/services/database/lead-schema.ts";
import type { Services } from "#app/services/http/context.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

type LeadColumns = Partial<Insertable<LeadTable>>;

/** The text that the visitor of such a lead agreed to. */
const agreedText = consentText({ hasServices: false });

/** The text that visitors agree to while the owner passes leads on. */
export const servicesText = consentText({ hasServices: true });

function consentText({ hasServices }: { hasServices: boolean }): string {
  const parties = { displayName: "Ada", company: "", months: 24, hasServices };
  return consentTexts(defaultFormSettings, parties)[0]?.text ?? "";
}

/** A lead as if its form had just been sent, with its consent. */
export async function insertLead(
  { db, events }: Pick<Services, "db" | "events">,
  {
    id,
    ownerId,
    now,
    lead,
    text = agreedText,
  }: { id: string; ownerId: string; now: number; lead: LeadColumns; text?: string },
): Promise<void> {
  await transact(db, async (trx) => {
    const times = { created_at: now, received_at: now, expires_at: now + 720 * 86_400_000 };
    await insertRows({ db: trx }, { lead: { id, owner_id: ownerId, card_id: "card", ...times, ...lead } });
    await saveSearchText(trx, [id]);
    const stored = { id: `text ${text}`, owner_id: ownerId, purpose: "answer", version: text.length, text, hash: text };
    await trx
      .insertInto("consent_text")
      .values({ ...stored, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const proof = { text_id: stored.id, text_version: stored.version, text_hash: stored.hash, source: "form" };
    const consent = { lead_id: id, owner_id: ownerId, purpose: "answer", given_at: now, ...proof };
    await insertRows({ db: trx }, { lead_consent: consent });
    const source = lead.source ?? "";
    if (lead.quarantined_at == null)
      await announceLead(trx, events, { id, ownerId, cardId: "card", source, hour: Math.floor(now / 3_600_000) });
  });
}

export const leadText = "Ada may answer me.";
export const grace = {
  name: "Grace",
  email: "Grace@Example.com",
  phone: "+1 555",
  company: "Navy",
  note: "Hi",
  answers: [],
};

/** The asset store on its fifth day, with a form for leads on Ada's public card. `create` sends it, with consent to `leadText`. */
export async function openLeadStore(db: Db) {
  const store = await openAssetStore(db);
  await db.updateTable("card").set({ is_public: 1 }).execute();
  store.time.now = 5 * 86_400_000;
  const card = { ownerId: "ada", cardId: "card-of-ada" };
  await saveLeadForm(store, { ...card, version: 0, isOn: true, settings: defaultFormSettings, now: 1 });
  store.recorded.length = 0;
  const create = (change: Partial<NewLead> = {}, deps = store) =>
    createLead(deps, {
      ...card,
      id: "lead-1",
      source: "qr",
      consentSource: "form",
      details: grace,
      consents: [{ purpose: "answer", hash: hashConsentText(leadText) }],
      currentTexts: [{ purpose: "answer", text: leadText }],
      givenAt: store.time.now,
      address: "203.0.113.7",
      ...change,
    });
  return { ...store, create };
}
