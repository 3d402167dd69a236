import { createSender } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { consentTexts } from "#app/features/leads/consent/consent-text.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import { addEndpoint, showSecret } from "#app/features/webhooks/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

/** The usual text of an owner who passes leads on. */
export const consent = (hasServices = true) =>
  consentTexts(defaultFormSettings, { displayName: "Ada", company: "", months: 24, hasServices })[0]?.text ?? "";

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
export const origin = { headers: new Headers() };

/** An owner with an endpoint on a server of the test. */
export async function openWebhook(answer?: Parameters<typeof openHookServer>[0]) {
  const hooks = await openHookServer(answer);
  const time = { now: Date.now() };
  const app = await createTestApp({ allowedOrigins: [hooks.origin], clock: () => time.now });
  const { services } = app;
  const user = await app.signedIn();
  await user.get("/profile");
  const { owner_id: ownerId } = await services.db.selectFrom("profile").select("owner_id").executeTakeFirstOrThrow();
  const kinds = ["lead.created", "consent.withdrawn", "card.saved", "contact.saved", "plan.changed"] as const;
  const id = (await addEndpoint(services, { ownerId, url: `${hooks.origin}/in`, kinds, origin })) ?? "";
  const secret = (await showSecret(services, { ownerId, id, origin })) ?? "";
  // It has answered before.
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 0 }).execute();
  const sender = createSender(services);
  const record = async (event: Parameters<typeof services.events.record>[1]) => {
    await transact(services.db, (trx) => services.events.record(trx, event));
    await services.jobs.runDue();
  };
  const insertLead = async (leadId = "lead-1", text = consent()) => {
    const now = time.now;
    const lead = { id: leadId, owner_id: ownerId, card_id: "card-1", name: "Grace", email: "grace@example.com" };
    await services.db
      .insertInto("lead")
      .values({ ...lead, email_key: lead.email, created_at: now, received_at: now, expires_at: now + 700 * day })
      .execute();
    const textRow = { id: `text-${leadId}`, owner_id: ownerId, purpose: "answer", version: 1, text, hash: leadId };
    await services.db
      .insertInto("consent_text")
      .values({ ...textRow, version: Number(leadId.slice(5)), created_at: now })
      .execute();
    const given = { lead_id: leadId, owner_id: ownerId, purpose: "answer", text_id: textRow.id, text_version: 1 };
    await services.db
      .insertInto("lead_consent")
      .values({ ...given, text_hash: leadId, source: "form", given_at: now })
      .execute();
    await record({ kind: "lead.created", ownerId, leadId, cardId: "card-1" });
  };
  const log = () => services.db.selectFrom("webhook_delivery").selectAll().orderBy("created_at").execute();
  return { ...app, ...hooks, time, user, ownerId, id, secret, sender, record, insertLead, log };
}
