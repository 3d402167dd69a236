import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { kioskLimits } from "#app/features/kiosk/rules.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";

import { createKioskLink, openKiosk } from "./kiosk.ts";
import { leadFormSettings } from "./shared-contacts.ts";

const someId = "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11";

describe("contacts from a device", () => {
  test("become leads with the proof of consent, counted and announced once", async () => {
    const { ada, card, content, encrypt, send, leads, devices, services, mails, time } = await openKiosk();
    const entry = content({ givenAt: time.now - 3_600_000, loadedAt: time.now - 7_200_000 });
    const sent = await encrypt(entry);
    expect(await send([sent])).toEqual({ results: [{ id: entry.id, result: "delivered" }] });
    expect(await leads()).toMatchObject([
      { id: entry.id, name: "Grace Hopper", source: "kiosk", card_id: card, created_at: time.now - 3_600_000 },
    ]);
    const proof = await services.db.selectFrom("lead_consent").selectAll().execute();
    expect(proof).toMatchObject([{ purpose: "answer", source: "kiosk", given_at: time.now - 3_600_000 }]);
    // A replayed queue, and twenty tabs.
    await Promise.all(Array.from({ length: 20 }, () => send([sent])));
    expect(await leads()).toHaveLength(1);
    expect((await devices())[0]?.received).toBe(1);
    await services.jobs.runDue();
    expect((await mails()).filter(({ to }) => to === "grace@example.com")).toHaveLength(1);
    expect(await (await ada.get(`/cards/${card}/kiosk`)).text()).toContain("1 contact");
  });

  test("with an earlier text of the form are accepted, and with one that was never shown refused", async () => {
    const { ada, card, content, encrypt, send, leads } = await openKiosk();
    await ada.post(`/cards/${card}/leads`, { ...leadFormSettings, version: "1", answer_text: "Another text." });
    const forged = content({ consents: [{ purpose: "answer", hash: "0".repeat(64) }] });
    const { results } = await send([await encrypt(content()), await encrypt(forged)]);
    expect(results).toMatchObject([{ result: "delivered" }, { result: "refused", reason: "unknown-consent" }]);
    expect(await leads()).toHaveLength(1);
  });

  test("that were filled in before the form was switched off are still accepted", async () => {
    const { ada, card, content, encrypt, send, leads } = await openKiosk();
    const { is_on: _, ...off } = leadFormSettings;
    await ada.post(`/cards/${card}/leads`, { ...off, version: "1" });
    await send([await encrypt(content())]);
    expect(await leads()).toHaveLength(1);
  });

  test("that were erased stay erased, and count as delivered", async () => {
    const { content, encrypt, send, leads, services, ada } = await openKiosk();
    const sent = await encrypt(content());
    await send([sent]);
    await eraseLeads(services, { ownerId: await userIdOf(ada), ids: [sent.id] });
    expect(await send([sent])).toEqual({ results: [{ id: sent.id, result: "delivered" }] });
    expect(await leads()).toEqual([]);
  });

  test("that look like spam are delivered, to quarantine", async () => {
    const { content, encrypt, send, leads } = await openKiosk();
    const sent = await encrypt(content({ note: "http://a.example http://b.example http://c.example" }));
    expect(await send([sent])).toEqual({ results: [{ id: sent.id, result: "delivered" }] });
    expect(await leads()).toMatchObject([{ spam_reasons: '["links"]' }]);
  });

  test("can be sent by a new link of the same card, but not by one of another card", async () => {
    const { ada, card, content, encrypt, send, leads, services, devices } = await openKiosk();
    const waiting = await encrypt(content());
    const [device] = await devices();
    await makePremium(services, await userIdOf(ada));
    const other = await makeCard(ada, { card_name: "Second" });
    await ada.post(`/cards/${other}/leads`, leadFormSettings);
    const foreign = await createKioskLink(ada, other);
    expect((await send([waiting], { to: foreign })).results).toMatchObject([
      { result: "refused", reason: "unreadable" },
    ]);
    await ada.post(`/cards/${card}/kiosk`, { intent: "remove", id: device?.id ?? "" });
    await send([waiting], { to: await createKioskLink(ada, card) });
    expect(await leads()).toMatchObject([{ id: waiting.id, card_id: card }]);
  });

  test.each([
    ["a note of 1 MB", { note: "x".repeat(1_000_000) }, 413],
    ["a long note", { note: "x".repeat(2_001) }, 200],
    ["a long question", { answers: [{ question: "x".repeat(121), answer: "" }] }, 200],
    ["an address without a domain", { email: "grace" }, 200],
    ["no way to answer", { email: "" }, 200],
    ["a time between two milliseconds", { givenAt: 1.5 }, 200],
  ])("with %s are refused, and the others of the request are stored", async (_, change, status) => {
    const { content, encrypt, post, leads } = await openKiosk();
    const entries = [await encrypt(content(change)), await encrypt(content({ note: "fine" }))];
    const response = await post({ sentAt: Date.now(), entries });
    expect(response.status).toBe(status);
    if (status !== 200) return;
    const { results } = await response.json();
    expect(results).toMatchObject([{ result: "refused", reason: "unreadable" }, { result: "delivered" }]);
    expect(await leads()).toHaveLength(1);
  });

  test.each([
    ["no JSON", "{"],
    ["no entries", { sentAt: 1, entries: [] }],
    ["26 entries", { sentAt: 1, entries: Array.from({ length: 26 }, () => ({ id: someId, content: "x" })) }],
    ["an id that is none", { sentAt: 1, entries: [{ id: "x", content: "x" }] }],
    ["a time between two milliseconds", { sentAt: 1.5, entries: [{ id: someId, content: "x" }] }],
    ["a time that is none", { sentAt: "now", entries: [{ id: someId, content: "x" }] }],
  ])("in a request with %s are refused as a whole", async (_, body) => {
    const { post } = await openKiosk();
    expect((await post(body)).status).toBe(400);
  });

  test.each([
    ["not encrypted", () => "x"],
    ["changed", (content: string) => content.replace(/.(?=.{4}$)/, (one) => (one === "A" ? "B" : "A"))],
    ["of another id", (content: string) => content],
  ])("that are %s are refused as unreadable", async (name, change) => {
    const { content, encrypt, send } = await openKiosk();
    const { id, content: jwe } = await encrypt(content());
    const forged = { id: name === "of another id" ? someId : id, content: change(jwe) };
    expect((await send([forged])).results).toMatchObject([{ result: "refused", reason: "unreadable" }]);
  });

  test.each([
    ["a day ahead", 86_400_000],
    ["of 1970", -Date.UTC(2026, 10, 23)],
  ])("from a device whose clock is %s have the time that has passed since", async (_, skew) => {
    const { content, encrypt, send, leads, time } = await openKiosk();
    const loadedAt = time.now - 7_200_000;
    const sentAt = time.now + skew + 10_000_000;
    const entry = content({ givenAt: sentAt - 600_000, loadedAt });
    await send([await encrypt(entry)], { sentAt });
    expect(await leads()).toMatchObject([{ created_at: time.now - 600_000 }]);
  });

  test("that are older than 90 days are refused as too old", async () => {
    const { content, encrypt, send, time } = await openKiosk();
    const old = time.now - 91 * 86_400_000;
    const { results } = await send([await encrypt(content({ givenAt: old, loadedAt: old }))]);
    expect(results).toMatchObject([{ result: "refused", reason: "too-old" }]);
  });

  test("that were erased can't be brought back by an old request with a new time", async () => {
    const { content, encrypt, send, leads, services, ada, time } = await openKiosk();
    const sent = await encrypt(content());
    const sentAt = time.now;
    await send([sent]);
    await eraseLeads(services, { ownerId: await userIdOf(ada), ids: [sent.id] });
    time.now += 92 * 86_400_000;
    await runMaintenance(services.features, services);
    expect((await send([sent], { sentAt })).results).toMatchObject([{ result: "refused", reason: "too-old" }]);
    expect(await leads()).toEqual([]);
  });

  test("stay on the device when they can't be stored, and are stored once later", async () => {
    const { content, encrypt, post, send, leads, services } = await openKiosk();
    const entries = [await encrypt(content()), await encrypt(content({ email: "b@example.com" }))];
    await sql`alter table lead rename to lead_away`.execute(services.db);
    const failed = await post({ sentAt: Date.now(), entries });
    expect(failed.status).toBe(500);
    // A device removes nothing without a result.
    expect(await failed.json()).not.toHaveProperty("results");
    await sql`alter table lead_away rename to lead`.execute(services.db);
    expect((await send(entries)).results).toMatchObject([{ result: "delivered" }, { result: "delivered" }]);
    expect(await leads()).toHaveLength(2);
  });

  test("above the requests of a device wait, and none is refused", async () => {
    const { content, encrypt, send, leads, services, devices, time } = await openKiosk();
    const attempt = { limit: kioskLimits.requests, subject: (await devices())[0]?.id ?? "" };
    for (let n = 0; n < attempt.limit.max; n++) await services.rateLimits.consume([attempt]);
    const entry = await encrypt(content());
    const { results, retryAfter = 0 } = await send([entry]);
    expect(results).toEqual([]);
    time.now += retryAfter * 1_000;
    expect((await send([entry])).results).toEqual([{ id: entry.id, result: "delivered" }]);
    expect(await leads()).toHaveLength(1);
  });

  test("above the limit of a device wait, and none is lost", async () => {
    const { content, encrypt, send, services, devices, time, leads } = await openKiosk();
    const [device] = await devices();
    await services.rateLimits.consume([{ limit: kioskLimits.sent, subject: device?.id ?? "" }]);
    await services.db
      .updateTable("attempt")
      .set({ count: kioskLimits.sent.max - 1 })
      .where("count", "=", 1)
      .execute();
    const entries = [await encrypt(content()), await encrypt(content({ email: "b@example.com" }))];
    const { results, retryAfter = 0 } = await send(entries);
    expect(results).toEqual([{ id: entries[0]?.id, result: "delivered" }]);
    expect(retryAfter).toBeGreaterThan(0);
    time.now += retryAfter * 1_000 + 1;
    await send(entries);
    expect(await leads()).toHaveLength(2);
  });
});
