import { scheduleBehind } from "#app/features/integrations/send-tasks.server.ts";
import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { hashConsentText } from "#app/features/leads/consent-data.server.ts";
import { consentTexts } from "#app/features/leads/consent-text.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import { transact } from "#app/services/database/database.server.ts";
import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { servicesText } from "#tests/support/database/leads.ts";
import { openContactServices } from "#tests/support/providers/contact-services.ts";

const parties = { displayName: "Ada", company: "", months: 24, hasServices: true };
const newsText = consentTexts({ ...defaultFormSettings, hasNewsletter: true }, parties)[1]?.text ?? "";

/** An owner whose leads are copied to a list of listmonk, and what reaches it. */
export async function openIntegration() {
  const double = await openContactServices();
  const owner = await openOwner({ allowedOrigins: [double.origin] });
  const { services, ada, ownerId } = owner;
  const settings = { url: `${double.origin}/listmonk`, user: "api", token: "right", list: "3" };
  const connect = (change: Partial<typeof settings> = {}) =>
    ada.post("/integrations/new/listmonk", { ...settings, ...change });
  const response = await connect();
  const id = response.headers.get("location")?.split("/").at(-1) ?? "";
  /** A lead that agreed to news, with the services that the owner uses. */
  const shareNews = async (email: string, text = servicesText) => {
    const leadId = await owner.share({ name: `Guest ${email}`, email, email_key: email }, text);
    const news = { id: "news", owner_id: ownerId, purpose: "newsletter", version: 1, text: newsText };
    await services.db
      .insertInto("consent_text")
      .values({ ...news, hash: hashConsentText(newsText), created_at: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const proof = { text_id: "news", text_version: 1, text_hash: hashConsentText(newsText), source: "form" };
    const consent = { lead_id: leadId, owner_id: ownerId, purpose: "newsletter", given_at: owner.time.now, ...proof };
    await insertRows(services, { lead_consent: consent });
    await transact(services.db, (trx) => changeContacts(trx, { ownerId, ids: [leadId] }));
    return leadId;
  };
  /** Copies what has changed and is due, after some time. */
  const run = async (ms = 0) => {
    owner.time.now += ms;
    await scheduleBehind(services);
    await services.jobs.runDue();
  };
  const list = () => (double.contacts.get("listmonk") ?? []).map(({ email, name }) => [email, name]).toSorted();
  const states = async () => {
    const rows = await services.db.selectFrom("integration_contact").select("state").orderBy("state").execute();
    return rows.map(({ state }) => state);
  };
  return { ...owner, double, settings, connect, id, shareNews, run, list, states };
}
