import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { kioskLimits } from "#app/features/kiosk/rules.ts";
import { eraseLeads } from "#app/features/leads/data.server.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { day, hour } from "#tests/journeys/leads/lead-owner.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { createKioskLink, openKiosk } from "./kiosk.ts";
import { leadFormSettings } from "#tests/journeys/leads/shared-contacts.ts";

const someId = "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11";

describe("contacts from a device", () => {
  test("become leads with the proof of consent, counted and announced once", async () => {
    const { ada, card, content, encrypt, send, leads, devices, services, mailsTo, time } = await openKiosk();
    const givenAt = time.now - hour;
    const entry = content({ givenAt, loadedAt: time.now - 2 * hour });
    const sent = await encrypt(entry);
    expect(await send([sent])).toEqual({ results: [{ id: entry.id, result: "delivered" }] });
    expect(await leads()).toMatchObject([
      { id: entry.id, name: "Grace Hopper", source: "kiosk", card_id: card, created_at: givenAt },
    ]);
    const proof = await services.db.selectFrom("lead_consent").selectAll().execute();
    expect(proof).toMatchObject([{ purpose: "answer", source: "kiosk", given_at: givenAt }]);
    // A replayed queue, and twenty tabs.
    await Promise.all(Array.from({ length: 20 }, () => send([sent])));
    expect(await leads()).toHaveLength(1);
    expect((await devices())[0]?.received).toBe(1);
    expect(await mailsTo("grace@example.com")).toHaveLength(1);
    expect(await (await ada.get(`/cards/${card}/kiosk`)).text()).toContain("1 contact");
  });

  test("that were filled in before the form was switched off are still accepted, spam in quarantine, and a text that was never shown refused", async () => {
    const { content, encrypt, send, leads, switchOff } = await openKiosk();
    await switchOff();
    const spam = content({ note: "http://a.example http://b.example http://c.example" });
    const forged = content({ consents: [{ purpose: "answer", hash: "0".repeat(64) }] });
    const { results } = await send(await Promise.all([content(), spam, forged].map((entry) => encrypt(entry))));
    expect(results.map(({ result, reason }) => reason ?? result)).toEqual([
      "delivered",
      "delivered",
      "unknown-consent",
    ]);
    expect((await leads()).map(({ spam_reasons }) => spam_reasons).toSorted()).toEqual(['["links"]', "[]"]);
  });

  test("that were erased stay erased, also for an old request with a new time, and count as delivered", async () => {
    const { content, encrypt, send, leads, services, ownerId, time } = await openKiosk();
    const sent = await encrypt(content());
    const sentAt = time.now;
    await send([sent]);
    await eraseLeads(services, { ownerId, ids: [sent.id] });
    expect(await send([sent])).toEqual({ results: [{ id: sent.id, result: "delivered" }] });
    expect(await leads()).toEqual([]);
    time.now += 92 * day;
    await runMaintenance(services.features, services);
    expect((await send([sent], { sentAt })).results).toMatchObject([{ result: "refused", reason: "too-old" }]);
    expect(await leads()).toEqual([]);
  });

  test("can be sent by a new link of the same card, but not by one of another card", async () => {
    const { ada, ownerId, card, content, encrypt, send, leads, services, remove } = await openKiosk();
    const waiting = await encrypt(content());
    await makePremium(services, ownerId);
    const other = await makeCard(ada, { card_name: "Second" });
    await ada.post(`/cards/${other}/leads`, leadFormSettings);
    const foreign = await createKioskLink(ada, other);
    expect((await send([waiting], { to: foreign })).results).toMatchObject([
      { result: "refused", reason: "unreadable" },
    ]);
    await remove();
    await send([waiting], { to: await createKioskLink(ada, card) });
    expect(await leads()).toMatchObject([{ id: waiting.id, card_id: card }]);
  });

  test("that are invalid, not encrypted or changed are refused as unreadable, and the others of the request are stored", async () => {
    const { content, encrypt, post, send, leads } = await openKiosk();
    const changes = [
      { note: "x".repeat(2_001) },
      { answers: [{ question: "x".repeat(121), answer: "" }] },
      { email: "grace" },
      { email: "" },
      { givenAt: 1.5 },
    ];
    const invalid = await Promise.all(changes.map((change) => encrypt(content(change))));
    const { id, content: jwe } = await encrypt(content());
    const forged = [
      { id, content: "x" },
      { id, content: jwe.replace(/.(?=.{4}$)/, (one) => (one === "A" ? "B" : "A")) },
      { id: someId, content: jwe },
    ];
    const fine = await encrypt(content({ note: "fine", email: "lena@müller.example" }));
    const { results } = await send([...invalid, ...forged, fine]);
    expect(results.pop()).toMatchObject({ result: "delivered" });
    expect(results.map(({ reason }) => reason)).toEqual(Array(8).fill("unreadable"));
    expect(await leads()).toMatchObject([{ note: "fine", email: "lena@xn--mller-kva.example" }]);
    const huge = await encrypt(content({ note: "x".repeat(1_000_000) }));
    expect((await post({ sentAt: 1, entries: [huge] })).status).toBe(413);
  });

  test("in a request that is malformed are refused as a whole", async () => {
    const { post } = await openKiosk();
    const entry = { id: someId, content: "x" };
    for (const body of [
      "{",
      { sentAt: 1, entries: [] },
      { sentAt: 1, entries: Array.from({ length: 26 }, () => entry) },
      { sentAt: 1, entries: [{ id: "x", content: "x" }] },
      { sentAt: 1.5, entries: [entry] },
      { sentAt: "now", entries: [entry] },
    ])
      expect((await post(body)).status, JSON.stringify(body)).toBe(400);
  });

  test.each([
    ["a day ahead", day],
    ["of 1970", -Date.UTC(2026, 10, 23)],
  ])("from a device whose clock is %s have the time that has passed since", async (_, skew) => {
    const { content, encrypt, send, leads, time } = await openKiosk();
    const sentAt = time.now + skew + 10_000_000;
    const entry = content({ givenAt: sentAt - 600_000, loadedAt: time.now - 2 * hour });
    await send([await encrypt(entry)], { sentAt });
    expect(await leads()).toMatchObject([{ created_at: time.now - 600_000 }]);
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

  test.each([
    ["requests", 0],
    ["sent", 1],
  ] as const)("above the limit of a device wait, and none is lost: %s", async (name, left) => {
    const { content, encrypt, send, leads, services, deviceId, time } = await openKiosk();
    await useUp(services, { limit: kioskLimits[name], subject: deviceId }, { left });
    const entries = [await encrypt(content()), await encrypt(content({ email: "b@example.com" }))];
    const { results, retryAfter = 0 } = await send(entries);
    expect(results).toEqual(entries.slice(0, left).map(({ id }) => ({ id, result: "delivered" })));
    expect(retryAfter).toBeGreaterThan(0);
    time.now += retryAfter * 1_000;
    expect((await send(entries)).results.map(({ result }) => result)).toEqual(["delivered", "delivered"]);
    expect(await leads()).toHaveLength(2);
  });
});
