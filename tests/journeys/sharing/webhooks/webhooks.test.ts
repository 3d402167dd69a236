import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";

import { withdrawConsent, eraseLeads } from "#app/features/leads/data.server.ts";
import { followRequest } from "#app/features/leads/consent/visitor-data.server.ts";
import { rotateSecret } from "#app/features/webhooks/data.server.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

import { consent, day, hour, minute, openWebhook, origin } from "./webhook-owner.ts";

test("a lead is sent with its details and the proof of consent, signed as two other libraries verify it", async () => {
  const { insertLead, sender, received, secret, log, time } = await openWebhook();
  await insertLead();
  await sender.runDue();
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  for (const library of [new StandardWebhook(secret), new SvixWebhook(secret)])
    expect(() => library.verify(body, headers)).not.toThrow();
  expect(JSON.parse(body)).toMatchObject({
    type: "lead.created",
    timestamp: new Date(time.now).toISOString(),
    data: {
      id: "lead-1",
      name: "Grace",
      email: "grace@example.com",
      phone: null,
      consents: [{ purpose: "answer", text: expect.stringContaining("services") }],
    },
  });
  expect(() => new StandardWebhook(secret).verify(body.replace("Grace", "Eve"), headers)).toThrow("signature");
  expect(await log()).toMatchObject([{ state: "delivered", attempts: 1, next_attempt_at: null }]);
  expect(JSON.stringify(await log())).not.toContain("Grace");
});

test("a rotated secret signs together with the one before it for a day", async () => {
  const { services, ownerId, id, secret, record, sender, received, time } = await openWebhook();
  const next = (await rotateSecret(services, { ownerId, id, origin })) ?? "";
  expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const passed of [0, day + 1]) {
    time.now += passed;
    await record({ kind: "plan.changed", ownerId });
    await sender.runDue();
  }
  const isValid = (index: number, key: string) => {
    const hook = received[index];
    const { "webhook-timestamp": at = "" } = hook?.headers ?? {};
    const signature = new StandardWebhook(key).sign(
      hook?.headers["webhook-id"] ?? "",
      new Date(Number(at) * 1000),
      hook?.body ?? "",
    );
    return hook?.headers["webhook-signature"]?.split(" ").includes(signature);
  };
  expect([isValid(0, secret), isValid(0, next), isValid(1, secret), isValid(1, next)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test("a failed message is attempted eight times within 24 hours with the same id, then given up", async () => {
  const { record, ownerId, sender, received, log, time } = await openWebhook((response) =>
    response.writeHead(500).end(),
  );
  await record({ kind: "plan.changed", ownerId });
  const start = time.now;
  const times: number[] = [];
  for (;;) {
    await sender.runDue();
    times.push(time.now - start);
    const [delivery] = await log();
    if (delivery?.next_attempt_at == null) break;
    time.now = delivery.next_attempt_at;
  }
  const delays = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
  for (const [n, delay] of delays.entries()) {
    const waited = (times[n + 1] ?? 0) - (times[n] ?? 0);
    expect(waited).toBeGreaterThanOrEqual(delay * 0.8);
    expect(waited).toBeLessThanOrEqual(delay * 1.2);
  }
  expect(times).toHaveLength(8);
  expect(times.at(-1)).toBe(day);
  expect(received).toHaveLength(8);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await log()).toMatchObject([{ state: "failed", attempts: 8 }]);
});

test("Retry-After of an answer 429 is respected", async () => {
  const { record, ownerId, sender, log, time } = await openWebhook((response) =>
    response.writeHead(429, { "retry-after": "3600" }).end(),
  );
  await record({ kind: "plan.changed", ownerId });
  await sender.runDue();
  expect((await log())[0]?.next_attempt_at).toBe(time.now + hour);
});

test.each([
  [
    "is erased",
    (app: Awaited<ReturnType<typeof openWebhook>>) =>
      eraseLeads(app.services, { ownerId: app.ownerId, ids: ["lead-1"] }),
  ],
  [
    "is withdrawn",
    (app: Awaited<ReturnType<typeof openWebhook>>) =>
      withdrawConsent(app.services, { id: "lead-1", purposes: ["answer"] }),
  ],
])("nothing about a lead is sent after it %s, and no answer that repeats it stays", async (_, remove) => {
  const app = await openWebhook((response, { body }) => response.writeHead(500).end(body));
  await app.insertLead();
  await app.sender.runDue();
  await remove(app);
  await app.services.jobs.runDue();
  app.time.now += day;
  await app.sender.runDue();
  expect(app.received).toHaveLength(1);
  expect(await app.log()).toMatchObject([{ state: "dropped", lead_id: "", next_attempt_at: null }]);
  expect(await app.services.db.selectFrom("webhook_attempt").select("answer").execute()).toEqual([{ answer: "" }]);
});

test.each([
  ["withdraw", "withdrawn"],
  ["erase", "erased"],
  ["newsletter", "newsletter"],
] as const)("a visitor who presses %s is reported by the id of the lead", async (intent, request) => {
  const app = await openWebhook((response) => response.end("Grace is deleted"));
  await app.insertLead();
  await agreeToNews(app, "lead-1");
  await app.sender.runDue();
  for (let n = 0; n < 2; n++) await followRequest(app.services, "lead-1", intent);
  await app.services.jobs.runDue();
  await app.sender.runDue();
  expect(app.received.map(({ body }) => JSON.parse(body)).slice(1)).toEqual([
    {
      type: "consent.withdrawn",
      timestamp: new Date(app.time.now).toISOString(),
      data: { lead_id: "lead-1", request },
    },
  ]);
  expect((await app.log()).map(({ kind, state }) => [kind, state])).toContainEqual(["consent.withdrawn", "delivered"]);
  const answers = await app.services.db.selectFrom("webhook_attempt").select(["answer", "status"]).execute();
  // An answer may repeat what was deleted.
  expect(answers.filter(({ answer }) => answer === "")).toHaveLength(intent === "newsletter" ? 1 : 2);
});

test("what the owner deletes, and a lead that was never passed on, aren't reported", async () => {
  const app = await openWebhook();
  await app.insertLead();
  await app.insertLead("lead-2", consent(false));
  await eraseLeads(app.services, { ownerId: app.ownerId, ids: ["lead-1"] });
  expect(await followRequest(app.services, "lead-2", "erase")).toBe(true);
  await app.services.jobs.runDue();
  expect((await app.log()).map(({ kind }) => kind)).not.toContain("consent.withdrawn");
});

async function agreeToNews({ services, ownerId, time }: Awaited<ReturnType<typeof openWebhook>>, leadId: string) {
  const text = { id: "news", owner_id: ownerId, purpose: "newsletter", version: 1, text: consent(), hash: "news" };
  await services.db
    .insertInto("consent_text")
    .values({ ...text, created_at: time.now })
    .execute();
  const given = { lead_id: leadId, owner_id: ownerId, purpose: "newsletter", text_id: "news", text_version: 1 };
  await services.db
    .insertInto("lead_consent")
    .values({ ...given, text_hash: "news", source: "form", given_at: time.now })
    .execute();
}

test("an endpoint that answers 410 is switched off with a mail", async () => {
  const { record, ownerId, sender, services, mails, log } = await openWebhook((response) =>
    response.writeHead(410).end(),
  );
  await record({ kind: "plan.changed", ownerId });
  await sender.runDue();
  expect(await services.db.selectFrom("webhook_endpoint").select(["is_on", "off_reason"]).execute()).toEqual([
    { is_on: 0, off_reason: "gone" },
  ]);
  expect(await log()).toMatchObject([{ state: "failed", next_attempt_at: null }]);
  expect((await mails()).map(({ subject }) => subject)).toContainEqual(
    expect.stringMatching(/^Your webhook to .* was switched off$/),
  );
});

test("an endpoint that fails for five days is switched off with a mail", async () => {
  const { record, ownerId, sender, services, mails, time } = await openWebhook((response) =>
    response.writeHead(500).end(),
  );
  for (let n = 0; n < 6; n++) {
    await record({ kind: "plan.changed", ownerId });
    await sender.runDue();
    time.now += day;
  }
  expect(await services.db.selectFrom("webhook_endpoint").select(["is_on", "off_reason"]).execute()).toEqual([
    { is_on: 0, off_reason: "failing" },
  ]);
  expect((await mails()).filter(({ subject }) => subject.startsWith("Your webhook to"))).toHaveLength(1);
});

test("contacts that visitors save on a card are sent together after a minute, without anything about them", async () => {
  const { services, ownerId, sender, received, time } = await openWebhook();
  for (let n = 0; n < 3; n++) {
    services.counter.count({ ownerId, subject: "card:card-1", kind: "save", source: "qr", target: "" });
    await services.counter.flush();
    await services.jobs.runDue();
  }
  await sender.runDue();
  expect(received).toEqual([]);
  time.now += minute;
  await sender.runDue();
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "contact.saved", data: { card_id: "card-1", source: "qr", count: 3 } },
  ]);
});

test("a deleted account leaves nothing, also of messages that wait", async () => {
  const { record, ownerId, sender, services, received } = await openWebhook();
  await insertProfile(services.db, "other");
  await record({ kind: "plan.changed", ownerId });
  await record({ kind: "account.deleted", ownerId });
  await sender.runDue();
  expect(received).toEqual([]);
  for (const table of ["webhook_endpoint", "webhook_delivery", "webhook_attempt"] as const)
    expect(await services.db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test("a lead whose visitor agreed that it stays with the owner isn't sent", async () => {
  const { insertLead, sender, received, log } = await openWebhook();
  await insertLead("lead-1", consent(false));
  await sender.runDue();
  expect(received).toEqual([]);
  expect(await log()).toMatchObject([{ state: "dropped" }]);
});
