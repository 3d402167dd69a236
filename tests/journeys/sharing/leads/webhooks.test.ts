import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";

import { createSender } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { withdrawConsent, eraseLeads } from "#app/features/leads/data.server.ts";
import { consentTexts } from "#app/features/leads/consent/consent-text.ts";
import { defaultFormSettings } from "#app/features/leads/schema.ts";
import { addEndpoint, rotateSecret, showSecret, switchOff } from "#app/features/webhooks/data.server.ts";
import { maxEndpoints } from "#app/features/webhooks/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

/** The usual text of an owner who passes leads on. */
const consent = (hasServices = true) =>
  consentTexts(defaultFormSettings, { displayName: "Ada", company: "", months: 24, hasServices })[0]?.text ?? "";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const origin = { headers: new Headers() };

/** An owner with an endpoint on a server of the test. */
async function openWebhook(answer?: Parameters<typeof openHookServer>[0]) {
  const hooks = await openHookServer(answer);
  const time = { now: Date.now() };
  const app = await createTestApp({ allowedOrigins: [hooks.origin], clock: () => time.now });
  const { services } = app;
  const user = await app.signedIn();
  await user.get("/profile");
  const { owner_id: ownerId } = await services.db.selectFrom("profile").select("owner_id").executeTakeFirstOrThrow();
  const kinds = ["lead.created", "card.saved", "contact.saved", "plan.changed"] as const;
  const id = (await addEndpoint(services, { ownerId, url: `${hooks.origin}/in`, kinds, origin })) ?? "";
  const secret = (await showSecret(services, { ownerId, id, origin })) ?? "";
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

test.each([
  [200, "delivered"],
  [500, "failed"],
])(
  "a message that is answered with %i while its endpoint is switched off is %s, and not repeated",
  async (status, state) => {
    const answers: (() => void)[] = [];
    const app = await openWebhook((response) => void answers.push(() => response.writeHead(status).end()));
    const { services, ownerId, id, sender, received, log } = app;
    for (let n = 0; n < 5; n++) await app.record({ kind: "plan.changed", ownerId });
    const work = sender.runDue();
    await expect.poll(() => answers.length).toBe(4);
    await switchOff(services, { ownerId, id, origin });
    for (const answer of answers) answer();
    await work;
    app.time.now += day;
    await sender.runDue();
    expect(received).toHaveLength(4);
    const sent = Array.from({ length: 4 }, () => ({ state, attempts: 1, next_attempt_at: null }));
    const ended = (await log()).toSorted((a, b) => b.attempts - a.attempts);
    expect(ended).toMatchObject([...sent, { state: "failed", attempts: 0, next_attempt_at: null }]);
  },
);

test("a message whose process is killed while its endpoint is switched off fails without another attempt", async () => {
  const { services, ownerId, id, sender, record, received, log, time } = await openWebhook();
  await record({ kind: "plan.changed", ownerId });
  await services.db
    .updateTable("webhook_delivery")
    .set({ leased_until: time.now + minute })
    .execute();
  await switchOff(services, { ownerId, id, origin });
  expect(await log()).toMatchObject([{ state: "waiting" }]);
  time.now += minute;
  await sender.runDue();
  expect(received).toEqual([]);
  expect(await log()).toMatchObject([{ state: "failed", attempts: 0, next_attempt_at: null }]);
});

test("an owner whose endpoints never answer doesn't delay others", async () => {
  const { services, ownerId, origin: hooks, record, sender, received, signedIn, state } = await openWebhook();
  const kinds = ["plan.changed"] as const;
  for (let n = 1; n < maxEndpoints; n++)
    await addEndpoint(services, { ownerId, url: `${hooks}/in/${n}`, kinds, origin });
  await (await signedIn("eve@example.com")).get("/profile");
  const { owner_id: other } = await services.db
    .selectFrom("profile")
    .select("owner_id")
    .where("owner_id", "<>", ownerId)
    .executeTakeFirstOrThrow();
  await addEndpoint(services, { ownerId: other, url: `${hooks}/other`, kinds, origin });
  const waiting: (() => void)[] = [];
  state.answer = (response, { path }) => (path === "/other" ? response.end() : void waiting.push(() => response.end()));
  for (let n = 0; n < 30; n++) await record({ kind: "plan.changed", ownerId });
  await record({ kind: "plan.changed", ownerId: other });
  const work = sender.runDue();
  await expect.poll(() => received.map(({ path }) => path)).toContain("/other");
  // As many connections as an owner may have.
  await expect.poll(() => waiting.length).toBe(8);
  state.answer = (response) => response.end();
  for (const answer of waiting) answer();
  await work;
  expect(received).toHaveLength(30 * maxEndpoints + 1);
});

test("two processes send each message once", async () => {
  const { record, ownerId, sender, services, received } = await openWebhook();
  for (let n = 0; n < 20; n++) await record({ kind: "plan.changed", ownerId });
  await Promise.all([sender.runDue(), createSender(services).runDue()]);
  expect(received).toHaveLength(20);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
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
