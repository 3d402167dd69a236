import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { leadText as text, openLeadStore } from "#tests/support/database/leads.ts";

import { hashConsentText } from "./consent-data.server.ts";
import { consentTexts } from "./consent-text.ts";
import {
  deleteLeadsOfCard,
  deleteLeadsOfOwner,
  eraseLeads,
  findOwnLead,
  findVisitorLead,
  listLeads,
  withdrawConsent,
} from "./data.server.ts";
import { findLeadForm, saveLeadForm, saveRetention } from "./form-data.server.ts";
import { acceptLeads } from "./inbox/lead-data.server.ts";
import { defaultFormSettings } from "./schema.ts";

const [ownerId, cardId] = ["ada", "card-of-ada"];
const dayMs = 86_400_000;
const newsletter = "Ada may send me a newsletter.";

describeOnEachDatabase("leads", (makeDb) => {
  async function open() {
    const store = await openLeadStore(await makeDb());
    const count = async () => (await findLeadForm(store.db, cardId)).received;
    const tallies = () => store.db.selectFrom("hourly_count").selectAll().where("kind", "=", "lead").execute();
    return { ...store, deps: store, count, tallies };
  }

  test("are stored with the proof of their consent, and leave the owner's stored pages as they are", async () => {
    const { db, create, recorded } = await open();
    const versions = () => db.selectFrom("profile").select("pages_version").execute();
    const before = await versions();
    expect(await create()).toEqual({ kind: "created", isQuarantined: false });
    expect(await versions()).toEqual(before);
    const found = await findOwnLead(db, { ownerId, id: "lead-1" });
    expect(found?.lead).toMatchObject({
      name: "Grace",
      email: "Grace@Example.com",
      source: "qr",
      status: "new",
      isRead: false,
      createdAt: 5 * dayMs,
      expiresAt: (5 + 24 * 30) * dayMs,
    });
    const proof = { purpose: "answer", version: 1, hash: hashConsentText(text), text, source: "form" };
    expect(found?.consents).toEqual([{ ...proof, givenAt: 5 * dayMs, withdrawnAt: null }]);
    expect(recorded).toMatchObject([{ kind: "lead.created", ownerId, leadId: "lead-1", cardId }]);
    expect(await findOwnLead(db, { ownerId: "eda", id: "lead-1" })).toBeUndefined();
  });

  test("of twenty submissions of one form are one", async () => {
    const { db, create, count, tallies, recorded } = await open();
    const results = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["created", ...Array<string>(19).fill("known")]);
    expect(await listLeads(db, { ownerId, limit: 10 })).toHaveLength(1);
    expect(await count()).toBe(1);
    expect(await tallies()).toMatchObject([{ subject: `card:${cardId}`, hour: 5 * 24, source: "qr", n: 1 }]);
    expect(recorded).toHaveLength(1);
  });

  test("need consent to a text that visitors were shown, of the form as it is now", async () => {
    const { db, create } = await open();
    const answer = (hash: string) => ({ purpose: "answer", hash }) as const;
    const unreadable = { consents: [answer("\u0000")] };
    for (const change of [
      { consents: [answer(hashConsentText("Ada may sell this."))] },
      ...(["form", "kiosk", "in person"] as const).map((consentSource) => ({ ...unreadable, consentSource })),
      { consents: [] },
      // The text of one purpose is no consent for another.
      { consents: [{ purpose: "newsletter", hash: hashConsentText(text) } as const] },
    ])
      expect(await create(change)).toEqual({ kind: "unknown-consent" });
    expect(await listLeads(db, { ownerId, limit: 10 })).toEqual([]);
    await create();
    const currentTexts = [{ purpose: "answer", text: "Ada, Analytical Engines, may answer me." }] as const;
    expect(await create({ id: "lead-2", currentTexts })).toEqual({ kind: "unknown-consent" });
    expect(await listLeads(db, { ownerId, limit: 10 })).toHaveLength(1);
  });

  test("refer to the version that was shown, also after the text has changed", async () => {
    const { db, create } = await open();
    await create();
    const changed = "Ada, Analytical Engines, may answer me.";
    const currentTexts = [{ purpose: "answer", text: changed }] as const;
    await create({ id: "lead-2", currentTexts, consents: [{ purpose: "answer", hash: hashConsentText(changed) }] });
    await create({ id: "lead-3", currentTexts, consentSource: "kiosk" });
    const versions = ["lead-1", "lead-2", "lead-3"].map(async (id) => {
      const found = await findOwnLead(db, { ownerId, id });
      return found?.consents.map(({ version, text: shown }) => [version, shown]);
    });
    expect(await Promise.all(versions)).toEqual([[[1, text]], [[2, changed]], [[1, text]]]);
  });

  test("end as their visitor was told, also when the owner has chosen a longer time since", async () => {
    const { db, deps, create } = await open();
    const parties = { displayName: "Ada", company: "", hasServices: false };
    const told = (months: number) => consentTexts(defaultFormSettings, { ...parties, months })[0]?.text ?? "";
    const currentTexts = [{ purpose: "answer", text: told(3) }] as const;
    const change = { currentTexts, consents: [{ purpose: "answer", hash: hashConsentText(told(3)) }] } as const;
    await saveRetention(db, { ownerId, months: 3, now: 2 });
    await create(change);
    await create({ ...change, id: "spam", spamReasons: ["honeypot"] });
    await saveRetention(db, { ownerId, months: 36, now: 3 });
    await acceptLeads(deps, { ownerId, ids: ["spam"] });
    // Filled in before, on a device that was offline; and a form whose texts were read just before.
    const now = [{ purpose: "answer", text: told(36) }] as const;
    await create({ ...change, id: "device", consentSource: "kiosk", currentTexts: now });
    await create({ ...change, id: "form" });
    const ends = (await listLeads(db, { ownerId, limit: 9 })).map(({ id, expiresAt }) => [id, expiresAt / dayMs]);
    expect(Object.fromEntries(ends)).toEqual({ "lead-1": 95, spam: 95, device: 95, form: 95 });
    await create({ id: "new", currentTexts: now, consents: [{ purpose: "answer", hash: hashConsentText(told(36)) }] });
    expect((await findOwnLead(db, { ownerId, id: "new" }))?.lead.expiresAt).toBe((5 + 36 * 30) * dayMs);
  });

  test("are refused when the form is off or its card private or paused, but not what was filled in offline before", async () => {
    const { db, create } = await open();
    const on = { is_public: 1, is_paused: 0, is_on: 1 } as const;
    for (const off of [{ is_on: 0 }, { is_public: 0 }, { is_paused: 1 }] as const) {
      const { is_on, ...card } = { ...on, ...off };
      await db.updateTable("lead_form").set({ is_on }).execute();
      await db.updateTable("card").set(card).execute();
      expect(await create()).toEqual({ kind: "closed" });
      const id = JSON.stringify(off);
      expect(await create({ id, consentSource: "kiosk", source: "kiosk" })).toMatchObject({ kind: "created" });
    }
  });

  test("are refused for a blocked owner, another owner's card and a deleted card", async () => {
    const { db, create } = await open();
    expect(await create({ ownerId: "eda" })).toEqual({ kind: "closed" });
    expect(await create({ cardId: "unknown", consentSource: "kiosk" })).toEqual({ kind: "closed" });
    await db.insertInto("account_block").values({ owner_id: ownerId, created_at: 1, reason: "" }).execute();
    expect(await create()).toEqual({ kind: "closed" });
    await db.deleteFrom("card").where("id", "=", cardId).execute();
    expect(await create({ consentSource: "kiosk" })).toEqual({ kind: "closed" });
  });

  test("page by page are complete, also within one millisecond", async () => {
    const { db, create } = await open();
    for (let n = 0; n < 5; n++) await create({ id: `lead-${n}`, givenAt: 4 * dayMs + (n > 2 ? 1 : 0) });
    const ids: string[] = [];
    for (let page = await listLeads(db, { ownerId, limit: 2 }); page.length > 0;) {
      ids.push(...page.map(({ id }) => id));
      page = await listLeads(db, { ownerId, limit: 2, before: page.at(-1) });
    }
    expect(ids).toEqual(["lead-4", "lead-3", "lead-2", "lead-1", "lead-0"]);
  });

  test("that are erased leave a count, and stay erased when they are sent again", async () => {
    const { db, deps, create, count, tallies, recorded } = await open();
    await create();
    await db.insertInto("lead_tag").values({ lead_id: "lead-1", owner_id: ownerId, tag: "fair" }).execute();
    expect(await eraseLeads(deps, { ownerId: "eda", ids: ["lead-1"] })).toEqual([]);
    expect(await eraseLeads(deps, { ownerId, ids: ["lead-1"] })).toMatchObject([{ name: "Grace" }]);
    expect(recorded.map(({ kind }) => kind)).toEqual(["lead.created", "lead.erased"]);
    for (const table of ["lead", "lead_consent", "lead_tag"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    expect([await count(), await tallies()]).toMatchObject([1, [{ n: 1 }]]);
    expect(await create()).toEqual({ kind: "erased" });
    expect(await create({ consentSource: "kiosk", source: "kiosk" })).toEqual({ kind: "erased" });
    expect(await listLeads(db, { ownerId, limit: 10 })).toEqual([]);
    const left = JSON.stringify(await db.selectFrom("erased_lead").selectAll().execute());
    for (const trace of ["lead-1", ownerId, "race"]) expect(left).not.toContain(trace);
  });

  test("whose consent is withdrawn hold the proof and nothing about the person", async () => {
    const { db, deps, create, recorded } = await open();
    const currentTexts = [{ purpose: "answer", text } as const, { purpose: "newsletter", text: newsletter } as const];
    const consents = currentTexts.map(({ purpose, text: shown }) => ({ purpose, hash: hashConsentText(shown) }));
    await create({ currentTexts, consents });
    deps.time.now = 6 * dayMs;
    expect(await withdrawConsent(deps, { id: "lead-1", purposes: ["newsletter"] })).toMatchObject({ isActive: true });
    expect((await findVisitorLead(db, "lead-1"))?.lead).toMatchObject({ name: "Grace", withdrawnAt: null });
    expect(await withdrawConsent(deps, { id: "lead-1", purposes: ["newsletter"] })).toBeUndefined();
    const last = await withdrawConsent(deps, { id: "lead-1", purposes: ["answer", "newsletter"] });
    expect(last).toMatchObject({ isActive: false, lead: { name: "Grace" } });
    expect(recorded.map(({ kind }) => kind)).toEqual(["lead.created", "lead.withdrawn", "lead.withdrawn"]);
    const row = await db.selectFrom("lead").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ withdrawn_at: 6 * dayMs, proof_hash: expect.stringMatching(/^[\w-]{43}$/) });
    for (const trace of ["Grace", "grace", "555", "Navy", "Hi"]) expect(JSON.stringify(row)).not.toContain(trace);
    expect((await findOwnLead(db, { ownerId, id: "lead-1" }))?.consents).toMatchObject([
      { purpose: "answer", text, givenAt: 5 * dayMs, withdrawnAt: 6 * dayMs },
      { purpose: "newsletter", text: newsletter, withdrawnAt: 6 * dayMs },
    ]);
  });

  test("end earlier with a shorter retention, and not later with a longer one", async () => {
    const { db, create } = await open();
    await create();
    const end = async () => (await findOwnLead(db, { ownerId, id: "lead-1" }))?.lead.expiresAt;
    await saveRetention(db, { ownerId, months: 6, now: 2 });
    expect(await end()).toBe((5 + 180) * dayMs);
    await saveRetention(db, { ownerId, months: 36, now: 3 });
    expect(await end()).toBe((5 + 180) * dayMs);
    await create({ id: "lead-2" });
    expect((await findOwnLead(db, { ownerId, id: "lead-2" }))?.lead.expiresAt).toBe((5 + 36 * 30) * dayMs);
  });

  test("that were filled in offline have the time of the visitor, but never one in the future", async () => {
    const { db, create } = await open();
    await create({ consentSource: "kiosk", givenAt: 3 * dayMs });
    await create({ id: "lead-2", consentSource: "kiosk", givenAt: 99 * dayMs });
    expect((await listLeads(db, { ownerId, limit: 9 })).map(({ createdAt }) => createdAt / dayMs)).toEqual([5, 3]);
    expect(await create({ id: "lead-3", consentSource: "kiosk", givenAt: -86 * dayMs })).toEqual({ kind: "too-old" });
  });

  test("are deleted with their card or their account, and only those", async () => {
    const { db, deps, create } = await open();
    const form = { version: 0, isOn: true, settings: defaultFormSettings, now: 1 };
    await saveLeadForm(deps, { ...form, ownerId: "eda", cardId: "card-of-eda" });
    await create();
    await create({ id: "of-eda", ownerId: "eda", cardId: "card-of-eda" });
    await transact(db, (trx) => deleteLeadsOfCard(trx, cardId));
    expect(await listLeads(db, { ownerId, limit: 9 })).toEqual([]);
    expect(await db.selectFrom("lead_consent").select("lead_id").execute()).toEqual([{ lead_id: "of-eda" }]);
    await transact(db, (trx) => deleteLeadsOfOwner(trx, "eda"));
    for (const table of ["lead", "lead_consent", "lead_form"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("have a form that one of two editors saves, and no other owner", async () => {
    const { db, deps } = await open();
    const form = { ownerId, cardId, version: 1, isOn: true, now: 2, settings: defaultFormSettings };
    const save = (bookingUrl: string) => saveLeadForm(deps, { ...form, settings: { ...form.settings, bookingUrl } });
    const kinds = (await Promise.all([save("a"), save("b")])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["conflict", "saved"]);
    expect((await findLeadForm(db, cardId)).version).toBe(2);
    expect(await saveLeadForm(deps, { ...form, ownerId: "eda", version: 2 })).toEqual({ kind: "missing" });
  });
});
