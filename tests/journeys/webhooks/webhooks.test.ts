import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";

import { withdrawConsent, eraseLeads } from "#app/features/leads/data.server.ts";
import { followRequest } from "#app/features/leads/consent/visitor-data.server.ts";
import { rotateSecret } from "#app/features/webhooks/data.server.ts";
import { day, hour, minute } from "#tests/journeys/leads/lead-owner.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

import { openWebhook, origin } from "./webhook-owner.ts";

const forOwnerOnly = "My details go only to Ada, and are deleted after 24 months at the latest.";

test("a lead is sent with its details and the proof of consent, signed as two other libraries verify it", async () => {
  const { share, sender, received, secret, log, time } = await openWebhook();
  await share();
  await share(forOwnerOnly);
  await sender.runDue();
  const [{ headers, body } = { headers: {}, body: "" }, ...others] = received;
  expect(others).toEqual([]);
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
  const states = (await log()).map(({ state, attempts, next_attempt_at }) => [state, attempts, next_attempt_at]);
  expect(states.toSorted()).toEqual([
    ["delivered", 1, null],
    ["dropped", 0, null],
  ]);
  expect(JSON.stringify(await log())).not.toContain("Grace");
});

test("a rotated secret signs together with the one before it for a day", async () => {
  const { services, ownerId, id, secret, recordAndSend, received, time } = await openWebhook();
  const next = (await rotateSecret(services, { ownerId, id, origin })) ?? "";
  expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await recordAndSend();
  time.now += day + 1;
  await recordAndSend();
  const isValid = received.map(({ headers, body }) =>
    [secret, next].map((key) => {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
      const signature = new StandardWebhook(key).sign(headers["webhook-id"] ?? "", at, body);
      return headers["webhook-signature"]?.split(" ").includes(signature);
    }),
  );
  expect(isValid).toEqual([
    [true, true],
    [false, true],
  ]);
});

test("a failed message is attempted eight times within 24 hours with the same id, then given up", async () => {
  const { record, sender, received, log, time } = await openWebhook((response) => response.writeHead(500).end());
  await record();
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
  const { recordAndSend, log, time } = await openWebhook((response) =>
    response.writeHead(429, { "retry-after": "3600" }).end(),
  );
  await recordAndSend();
  expect((await log())[0]?.next_attempt_at).toBe(time.now + hour);
});

test.each(["erased", "withdrawn"])(
  "nothing about a lead is sent after it is %s, and no answer that repeats it stays",
  async (how) => {
    const app = await openWebhook((response, { body }) => response.writeHead(500).end(body));
    const { services, ownerId, received, log } = app;
    const id = await app.share();
    await app.sender.runDue();
    if (how === "erased") await eraseLeads(services, { ownerId, ids: [id] });
    else await withdrawConsent(services, { id, purposes: ["answer"] });
    await app.wait(day);
    await app.sender.runDue();
    expect(received).toHaveLength(1);
    expect(await log()).toMatchObject([{ state: "dropped", lead_id: "", next_attempt_at: null }]);
    expect(await services.db.selectFrom("webhook_attempt").select("answer").execute()).toEqual([{ answer: "" }]);
  },
);

test.each([
  ["withdraw", "withdrawn"],
  ["erase", "erased"],
  ["newsletter", "newsletter"],
] as const)("a visitor who presses %s is reported by the id of the lead", async (intent, request) => {
  const app = await openWebhook((response) => response.end("Grace is deleted"));
  const { services, time } = app;
  const lead_id = await app.share();
  // They also agreed to news.
  const { text_id, ...consent } = await services.db.selectFrom("lead_consent").selectAll().executeTakeFirstOrThrow();
  await insertRows(services, { lead_consent: { ...consent, text_id, purpose: "newsletter" } });
  await app.sender.runDue();
  for (let n = 0; n < 2; n++) await followRequest(services, lead_id, intent);
  await app.wait();
  await app.sender.runDue();
  expect(app.received.map(({ body }) => JSON.parse(body)).slice(1)).toEqual([
    { type: "consent.withdrawn", timestamp: new Date(time.now).toISOString(), data: { lead_id, request } },
  ]);
  expect((await app.log()).map(({ kind, state }) => [kind, state])).toContainEqual(["consent.withdrawn", "delivered"]);
  const answers = await services.db.selectFrom("webhook_attempt").select("answer").execute();
  // An answer may repeat what was deleted.
  expect(answers.filter(({ answer }) => answer === "")).toHaveLength(intent === "newsletter" ? 1 : 2);
});

test("what the owner deletes, and a lead that was never passed on, aren't reported", async () => {
  const app = await openWebhook();
  const [deleted, kept] = [await app.share(), await app.share(forOwnerOnly)];
  await eraseLeads(app.services, { ownerId: app.ownerId, ids: [deleted] });
  expect(await followRequest(app.services, kept, "erase")).toBe(true);
  await app.wait();
  expect((await app.log()).map(({ kind }) => kind)).not.toContain("consent.withdrawn");
});

test.each([
  [410, "gone"],
  [500, "failing"],
])(
  "an endpoint that answers %i is switched off with a mail, at once or after five days",
  async (status, off_reason) => {
    const { recordAndSend, sender, endpoints, mails, log, time } = await openWebhook((response) =>
      response.writeHead(status).end(),
    );
    await recordAndSend();
    expect((await endpoints())[0]?.is_on).toBe(status === 410 ? 0 : 1);
    if (status === 410) expect(await log()).toMatchObject([{ state: "failed", next_attempt_at: null }]);
    for (let n = 0; n < 5; n++) {
      time.now += day;
      await recordAndSend();
    }
    await sender.runDue();
    expect(await endpoints()).toMatchObject([{ is_on: 0, off_reason }]);
    const switchedOff = /^Your webhook to .* was switched off$/;
    expect((await mails()).filter(({ subject }) => switchedOff.test(subject))).toHaveLength(1);
  },
);

test("contacts that visitors save on a card are sent together after a minute, without anything about them", async () => {
  const { services, ownerId, sender, received, wait } = await openWebhook();
  for (let n = 0; n < 3; n++) {
    services.counter.count({ ownerId, subject: "card:card-1", kind: "save", source: "qr", target: "" });
    await services.counter.flush();
    await wait();
  }
  await sender.runDue();
  expect(received).toEqual([]);
  await wait(minute);
  await sender.runDue();
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "contact.saved", data: { card_id: "card-1", source: "qr", count: 3 } },
  ]);
});
