import { vi } from "vitest";

import { createFeed } from "#app/features/calendar/data.server.ts";
import { hashConsentText } from "#app/features/leads/consent-data.server.ts";
import { createLead } from "#app/features/leads/create-data.server.ts";
import { saveLeadForm, saveRetention } from "#app/features/leads/form-data.server.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";

import { insertRows, selectAll } from "#tests/support/database/account-rows.ts";

import { makeCard } from "./cards.ts";
import { makePremium, profileForm, userIdOf } from "./profiles.ts";
import type { TestApp } from "./test-app.ts";
import { jpeg, pdf, uploadFile } from "./uploads.ts";

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

/**
 * Creates a profile with an old and a new handle, images and a resume, a card with a logo, Premium, a pending change of
 * the email, a lead, and an export.
 */
export async function fillAccount(person: TestUser, services: TestApp["services"], handle: string) {
  const id = await userIdOf(person);
  await person.post("/profile", profileForm({ handle: `${handle}-old` }));
  await person.post("/profile", profileForm({ handle, version: "2" }));
  const card = await makeCard(person);
  for (const slot of ["avatar", "banner", `logo:${card}`, "picture:garden"]) {
    const { status, message } = await uploadFile(person, slot, { bytes: await jpeg(), name: "a.jpg" });
    if (status !== 200) throw new Error(`${slot} was not stored: ${message}`);
  }
  await uploadFile(person, "resume", { bytes: pdf(), name: "cv.pdf" });
  await makePremium(services, id);
  await services.db.insertInto("stripe_subscription").values(endedSubscription(id)).execute();
  await services.db.insertInto("stripe_invoice").values(paidInvoice(id)).execute();
  const change = { owner_id: id, email: `new-${person.email}`, link_id: "x", expires_at: Date.now() + 86_400_000 };
  await services.db.insertInto("email_change").values(change).execute();
  const draft = { attempt: `sign-up of ${id}`, owner_id: id, content: "{}", expires_at: change.expires_at };
  await services.db.insertInto("sign_up_draft").values(draft).execute();
  await addLead(services, { ownerId: id, cardId: card });
  await createFeed(services, { ownerId: id, origin: { headers: new Headers() } });
  const note = { owner_id: id, day: 20_000, slot: 0, text: "Trade fair", created_at: 1 };
  await services.db.insertInto("day_note").values(note).execute();
  await services.db.insertInto("weekly_mail").values({ owner_id: id, monday: 20_000, created_at: 1 }).execute();
  await person.post("/account/export", {});
  await services.jobs.runDue();
  return { id, card };
}

async function addLead(services: TestApp["services"], { ownerId, cardId }: { ownerId: string; cardId: string }) {
  const text = "You may answer me.";
  const form = { version: 0, isOn: true, now: 1, settings: defaultFormSettings };
  await saveLeadForm(services, { ownerId, cardId, ...form });
  await saveRetention(services.db, { ownerId, months: 12, now: 1 });
  const { kind } = await createLead(services, {
    id: `lead of ${ownerId}`,
    ownerId,
    cardId,
    source: "kiosk",
    consentSource: "kiosk",
    givenAt: Date.now(),
    details: { name: `Guest of ${ownerId}`, email: "", phone: "", company: "", note: "", answers: [] },
    consents: [{ purpose: "answer", hash: hashConsentText(text) }],
    currentTexts: [{ purpose: "answer", text }],
  });
  if (kind !== "created") throw new Error(`The lead was not stored: ${kind}`);
  const lead = { lead_id: `lead of ${ownerId}`, owner_id: ownerId };
  await insertRows(services, { lead_tag: { ...lead, tag: "fair" }, lead_distinct: { ...lead, other_id: "erased" } });
}

function endedSubscription(ownerId: string) {
  const times = { started_at: 1, current_period_end: 2, cancel_at: null, ended_at: 2, past_due_since: null };
  const price = { price_id: "price_1", period: "monthly", amount: 799, currency: "usd" };
  return { id: `sub_${ownerId}`, owner_id: ownerId, status: "canceled", ...price, ...times };
}

function paidInvoice(ownerId: string) {
  const amounts = { amount_due: 799, amount_paid: 799, currency: "usd" };
  return { id: `in_${ownerId}`, owner_id: ownerId, number: "MEISHI-0001", status: "paid", ...amounts, created_at: 1 };
}

/**
 * Adds an invented row of this owner to each table with an owner that has none: in texts the column's name and the owner, in numbers 1.
 * `without` are tables whose rows need content that means something.
 */
export async function inventRows({ db }: TestApp["services"], ownerId: string, without: readonly string[]) {
  for (const { name: table, columns } of await db.introspection.getTables()) {
    if (without.includes(table) || !columns.some(({ name }) => name === "owner_id")) continue;
    if (await hasRowsOf(db, table, ownerId)) continue;
    const values = columns.map(({ name, dataType }) => [name, /int/i.test(dataType) ? 1 : `${name} of ${ownerId}`]);
    await insertRows({ db }, { [table]: { ...Object.fromEntries(values), owner_id: ownerId } });
  }
}

/** The tables in which an account's id is found. */
export async function listTablesWith({ db }: TestApp["services"], ownerId: string): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const found = await Promise.all(tables.map(({ name }) => hasRowsOf(db, name, ownerId)));
  return tables.map(({ name }) => name).filter((_, index) => found[index]);
}

async function hasRowsOf(db: TestApp["services"]["db"], table: string, ownerId: string): Promise<boolean> {
  return JSON.stringify(await selectAll({ db }, table)).includes(ownerId);
}

const tablesWithPersonalData = `
  user session account verification profile handle card subscription plan_grant plan_notice
  stripe_customer stripe_subscription stripe_invoice wallet_pass pass_design lead_form lead_setting lead
  lead_consent lead_tag lead_notice lead_in_notice lead_forward lead_recipient calendar_feed lead_distinct
  consent_text webhook_endpoint webhook_delivery webhook_attempt email_change sign_up_draft known_device
  sign_in_challenge second_factor backup_code passkey security_event identity_code replaced_token
  app_session refresh_token app_link
  account_preference data_export asset storage job event rendered_page hourly_count daily_count day_note
  weekly_mail`;

/** All rows of all tables with personal data, once the recorded events are handled and deleted. */
export async function readAllRows({ db, jobs }: TestApp["services"]) {
  await vi.waitFor(async () => {
    await jobs.runDue();
    const waiting = await db.selectFrom("event").select("kind").execute();
    if (waiting.length > 0) throw new Error(`Events are still stored: ${JSON.stringify(waiting)}`);
  }, 15_000);
  const all: Record<string, unknown[]> = {};
  for (const table of tablesWithPersonalData.trim().split(/\s+/)) {
    all[table] = await selectAll({ db }, table);
  }
  return all;
}

export async function listStoredFiles({ files }: TestApp["services"]): Promise<string[]> {
  const found: string[] = [];
  for (const area of ["avatars/", "banners/", "pass-assets/", "pictures/", "resumes/", "exports/"]) {
    for await (const { path } of files.list(area)) found.push(path);
  }
  return found.toSorted();
}
