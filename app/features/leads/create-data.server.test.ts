import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { grace, openLeadStore } from "#tests/support/database/leads.ts";

import type { NewLead } from "./create-data.server.ts";
import { eraseLeads, listLeads } from "./data.server.ts";
import { findLeadForm } from "./form-data.server.ts";
import { leadLimits } from "./rules.ts";

const [ownerId, cardId] = ["ada", "card-of-ada"];
const dayMs = 86_400_000;

describeOnEachDatabase("the limits of leads", (makeDb) => {
  async function open() {
    const store = await openLeadStore(await makeDb());
    let count = 0;
    const create = ({ email = "", ...change }: Partial<NewLead> & { email?: string } = {}) =>
      store.create({ id: `lead-${count++}`, details: { ...grace, email }, ...change });
    /** Counts as if there had been so many submissions; none may have been counted before. */
    const use = async (limit: RateLimit, subject: string, times = limit.max) => {
      const known = (await store.db.selectFrom("attempt").select("key").execute()).map(({ key }) => key);
      await store.rateLimits.consume([{ limit, subject }]);
      const counted = store.db.updateTable("attempt").set({ count: times });
      await (known.length === 0 ? counted : counted.where("key", "not in", known)).execute();
    };
    return { ...store, create, use };
  }
  const accepted = { kind: "created", isQuarantined: false };
  const suspected = { kind: "created", isQuarantined: true };

  test("quarantine what is above them, for the owner's review, and don't count it", async () => {
    const { db, create, recorded } = await open();
    const { max } = leadLimits.ofMailbox;
    for (let n = 0; n <= max; n++) await create({ email: "Grace@Example.com" });
    expect(await listLeads(db, { ownerId, limit: 100 })).toHaveLength(max);
    const [quarantined] = await listLeads(db, { ownerId, limit: 100, isQuarantined: true });
    expect(quarantined).toMatchObject({ spamReasons: ["address-limit"], expiresAt: 35 * dayMs });
    expect((await findLeadForm(db, cardId)).received).toBe(max);
    const kinds = recorded.map(({ kind }) => kind);
    expect(kinds).toEqual([...Array<string>(max).fill("lead.created"), "lead.suspected"]);
  });

  test("are the same for all spellings of an address", async () => {
    const { create } = await open();
    for (let n = 0; n < leadLimits.ofMailbox.max; n++)
      expect(await create({ email: n % 2 ? `grace+${n}@example.com` : "GRACE@Example.com" })).toEqual(accepted);
    expect(await create({ email: "grace@example.com" })).toEqual(suspected);
    expect(await create({ email: "other@example.com" })).toEqual(accepted);
  });

  test("let no network hide the leads of others on the same card", async () => {
    const { create, use } = await open();
    await use(leadLimits.ofNetwork, "203.0.113.7");
    await use(leadLimits.ofCard, cardId, leadLimits.ofCard.max - 1);
    await use(leadLimits.mostOfCard, cardId, leadLimits.mostOfCard.max - 1);
    for (let n = 0; n < 3; n++) expect(await create()).toEqual(suspected);
    expect(await create({ address: "198.51.100.1" })).toEqual(accepted);
  });

  test("never suspect the first leads of a network because others filled the card's total", async () => {
    const { db, create, use } = await open();
    const [ofNetwork, ofNearby] = [leadLimits.firstOfNetwork.max, leadLimits.firstOfNearby.max];
    // Six addresses, each with as many as its network may send.
    for (let n = 0; n < 6; n++) await use(leadLimits.ofNetwork, `192.0.${n}.1`);
    await use(leadLimits.ofCard, cardId);
    await use(leadLimits.mostSuspectedOfCard, cardId, leadLimits.mostSuspectedOfCard.max - 2);
    const sendFrom = async (address: string, times: number, result: object) => {
      for (let n = 0; n < times; n++) expect(await create({ address }), address).toEqual(result);
    };
    await sendFrom("198.51.100.1", ofNetwork, accepted);
    await sendFrom("198.51.100.1", 1, suspected);
    for (let n = 2; n <= ofNearby / ofNetwork; n++) await sendFrom(`198.51.100.${n}`, ofNetwork, accepted);
    await sendFrom("198.51.100.200", 1, suspected);
    // All addresses of a /64 are one network.
    for (let n = 0; n < ofNetwork; n++) await sendFrom(`2001:db8:1:2::${n}`, 1, accepted);
    expect(await create({ address: "2001:db8:1:2:a::1" })).toMatchObject({ kind: "rate-limited" });
    await sendFrom("203.0.113.7", 1, accepted);
    const leads = await listLeads(db, { ownerId, limit: 100, isQuarantined: true });
    expect(leads.map(({ spamReasons }) => spamReasons)).toEqual([["card-limit"], ["card-limit"]]);
  });

  test("don't count for the card what looks like spam", async () => {
    const { create, use, recorded } = await open();
    await use(leadLimits.ofCard, cardId, leadLimits.ofCard.max - 1);
    await use(leadLimits.firstOfNetwork, `${cardId} 203.0.113.7`);
    for (let n = 0; n < 3; n++) expect(await create({ spamReasons: ["honeypot"] })).toEqual(suspected);
    expect(recorded).toEqual([]);
    expect(await create()).toEqual(accepted);
    expect(await create()).toEqual(suspected);
  });

  test("let a visitor share their contact with many owners on one day", async () => {
    const { create, use } = await open();
    await use(leadLimits.ofMailbox, "owner-of-another-stand grace@example.com");
    await use(leadLimits.ofMailboxInAll, "grace@example.com", leadLimits.ofMailboxInAll.max - 1);
    expect(await create({ email: "grace@example.com" })).toEqual(accepted);
    expect(await create({ email: "grace@example.com" })).toEqual(suspected);
  });

  test("let no mailbox hide the leads of others on the same card", async () => {
    const { create, use } = await open();
    await use(leadLimits.ofMailbox, `${ownerId} grace@example.com`);
    await use(leadLimits.ofCard, cardId, leadLimits.ofCard.max - 1);
    for (let n = 0; n < 3; n++) expect(await create({ email: "grace@example.com" })).toEqual(suspected);
    expect(await create({ email: "other@example.com" })).toEqual(accepted);
  });

  test.each([
    ["203.0.113.0/24", "203.0.113.9", "203.0.114.9"],
    ["2001:db8:1::/48", "2001:db8:1:2::3", "2001:db8:2:2::3"],
  ])("apply to the networks around %s together", async (nearby, inside, outside) => {
    const { db, create, use } = await open();
    await use(leadLimits.ofNearby, nearby);
    await use(leadLimits.mostOfNearby, nearby, leadLimits.mostOfNearby.max - 1);
    expect(await create({ address: inside })).toEqual(suspected);
    const [lead] = await listLeads(db, { ownerId, limit: 1, isQuarantined: true });
    expect(lead?.spamReasons).toEqual(["network-limit"]);
    expect(await create({ address: outside })).toEqual(accepted);
    expect(await create({ address: inside })).toMatchObject({ kind: "rate-limited" });
    expect(await create({ address: outside })).toEqual(accepted);
  });

  test("bound what one card stores from networks above their limit", async () => {
    const { create, use } = await open();
    await use(leadLimits.ofNetwork, "203.0.113.7");
    await use(leadLimits.mostSuspectedOfCard, cardId);
    expect(await create()).toMatchObject({ kind: "rate-limited" });
    expect(await create({ address: "198.51.100.1" })).toEqual(accepted);
  });

  test.each([
    ["the same form again", { id: "lead-again" }],
    ["consent to an unknown text", { consents: [{ purpose: "answer" as const, hash: "0".repeat(64) }] }],
  ])("count every submission of a network: %s", async (_, change) => {
    const { create, use } = await open();
    await use(leadLimits.mostOfNetwork, "203.0.113.7", leadLimits.mostOfNetwork.max - 2);
    await create(change);
    expect(["known", "unknown-consent"]).toContain((await create(change)).kind);
    expect(await create(change)).toMatchObject({ kind: "rate-limited", limit: leadLimits.mostOfNetwork.name });
  });
});

describeOnEachDatabase("a lead that was erased", (makeDb) => {
  test("isn't accepted again, also after the secret was replaced", async () => {
    const store = await openLeadStore(await makeDb());
    const former = "a".repeat(43);
    const before = { ...store, sign: createTextSigner(former) };
    await store.create({}, before);
    await eraseLeads(before, { ownerId, ids: ["lead-1"] });
    const after = { ...store, sign: createTextSigner("b".repeat(43), former) };
    for (const deps of [before, after]) expect(await store.create({}, deps)).toEqual({ kind: "erased" });
  });
});
