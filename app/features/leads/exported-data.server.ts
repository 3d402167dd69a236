import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";

import { listConsents } from "./consent-data.server.ts";
import { listLeads } from "./data.server.ts";
import type { Lead } from "./schema.ts";
import { readFormSettings } from "./schema.ts";

export const leadsExport: DataExport = {
  tables: [
    "lead",
    "lead_consent",
    "lead_tag",
    "lead_distinct",
    "lead_recipient",
    "lead_reply",
    "lead_form",
    "lead_setting",
    "consent_text",
  ],
  explanations: [
    {
      name: "leads",
      text: "In data.json: the details that visitors shared with you, with the proof of their consent.",
    },
  ],
  sections: (source) => ({
    leads: () => readLeads(source, { isQuarantined: false }),
    leadsInQuarantine: () => readLeads(source, { isQuarantined: true }),
    leadsOfDifferentPeople: async () =>
      source.db
        .selectFrom("lead_distinct")
        .select(["lead_id", "other_id"])
        .where("owner_id", "=", source.ownerId)
        .orderBy("lead_id")
        .orderBy("other_id")
        .execute(),
    leadRecipients: async () =>
      source.db
        .selectFrom("lead_recipient")
        .select(["lead_id", "address", "sent_at"])
        .where("owner_id", "=", source.ownerId)
        .orderBy("lead_id")
        .orderBy("address")
        .execute(),
    leadReplies: async () =>
      source.db
        .selectFrom("lead_reply")
        .select(["lead_id", "subject", "text", "created_at"])
        .where("owner_id", "=", source.ownerId)
        .orderBy("created_at")
        .orderBy("id")
        .execute(),
    leadForms: async () => {
      const rows = await source.db
        .selectFrom("lead_form")
        .select(["card_id", "is_on", "settings", "received", "updated_at"])
        .where("owner_id", "=", source.ownerId)
        .orderBy("card_id")
        .execute();
      return rows.map(({ settings, ...row }) => ({ ...row, settings: readFormSettings(settings) }));
    },
    leadSettings: async () =>
      source.db.selectFrom("lead_setting").selectAll().where("owner_id", "=", source.ownerId).execute(),
    consentTexts: async () =>
      source.db
        .selectFrom("consent_text")
        .selectAll()
        .where("owner_id", "=", source.ownerId)
        .orderBy("purpose")
        .orderBy("version")
        .execute(),
  }),
};

/** In pages, so that 100,000 leads are never in memory. */
async function* readLeads({ db, ownerId }: ExportSource, { isQuarantined }: { isQuarantined: boolean }) {
  let before: Lead | undefined;
  for (;;) {
    const leads = await listLeads(db, { ownerId, before, limit: pageSize, isQuarantined });
    for (const lead of leads) {
      const tags = await db
        .selectFrom("lead_tag")
        .select("tag")
        .where("lead_id", "=", lead.id)
        .orderBy("tag")
        .execute();
      const { ownerId: _, ...rest } = lead;
      yield { ...rest, tags: tags.map(({ tag }) => tag), consents: await listConsents(db, lead.id) };
    }
    before = leads.at(-1);
    if (leads.length < pageSize) return;
  }
}

const pageSize = 200;
