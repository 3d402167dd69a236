import type { Insertable } from "kysely";
import { expect, test } from "vitest";

import { claimDelivery, createDeliveryId, listDue } from "#app/features/webhooks/delivery/delivery-data.server.ts";
import { webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import { maxEndpoints, maxWaiting, slowMs } from "#app/features/webhooks/rules.ts";
import type { WebhookDeliveryTable } from "#app/services/database/webhook-schema.ts";
import { day, minute } from "#tests/journeys/leads/lead-owner.ts";
import { pendingToast } from "#tests/support/app/cards.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

import { openSender, openWebhook } from "./webhook-owner.ts";

type Delivery = Partial<Insertable<WebhookDeliveryTable>>;

async function open() {
  const app = await openWebhook();
  const { services, time } = app;
  const deliver = async (count: number, { owner_id, endpoint_id = owner_id, ...row }: Delivery) => {
    const past = { happened_at: time.now - minute, created_at: time.now - minute, next_attempt_at: time.now - minute };
    const common = { kind: "plan.changed", content: "{}", state: "waiting", ...past, ...row };
    const rows = Array.from({ length: count }, () => ({ id: createDeliveryId(), owner_id, endpoint_id, ...common }));
    for (let at = 0; at < rows.length; at += 500)
      await insertRows(services, { webhook_delivery: rows.slice(at, at + 500) });
  };
  return { ...app, deliver };
}

/** Owners with endpoints that never answer and deliveries that wait, and an owner whose endpoint is new. */
async function openHanging(owners: number, of: { endpoints: number; deliveries: number; isSlow: 0 | 1 }) {
  const app = await open();
  const { services, deliver } = app;
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 1 }).execute();
  for (let n = 0; n < owners * of.endpoints; n++) {
    const [id, owner_id] = [`endpoint ${n}`, `owner ${n % owners}`];
    const url = webhookBox(services).encrypt("https://hanging.example/", owner_id);
    const secret = webhookBox(services).encrypt("whsec_c2VjcmV0", owner_id);
    const row = { id, owner_id, url, secret, kinds: "[]", is_slow: of.isSlow, created_at: 1, updated_at: 1 };
    await insertRows(services, { webhook_endpoint: row });
    await deliver(of.deliveries, { owner_id, endpoint_id: id });
  }
  const sent: string[] = [];
  const held: (() => void)[] = [];
  // Without the time limit of requests, which a slow machine would reach.
  const sendPublicly: typeof services.sendPublicly = (url) => {
    const isHanging = url.startsWith("https://hanging");
    sent.push(isHanging ? "hanging" : "new");
    // An answer that came late: its endpoint stays slow.
    const answer = { status: 200, retryAfter: undefined, text: "", isCut: false, durationMs: slowMs + 1 };
    return new Promise((resolve) => (isHanging ? held.push(() => resolve(answer)) : resolve(answer)));
  };
  const sender = openSender({ ...services, sendPublicly });
  sender.start();
  const stop = async () => {
    await services.db.deleteFrom("webhook_delivery").execute();
    const stopped = sender.stop();
    for (const answer of held) answer();
    await stopped;
  };
  return { ...app, sent, held, stop };
}

test.each([0, 1] as const)(
  "an owner's first message is sent at once while four others have as many hanging endpoints as possible (slow: %i)",
  async (isSlow) => {
    const { held, sent, record, stop } = await openHanging(4, { endpoints: maxEndpoints, deliveries: 200, isSlow });
    // Every connection but those reserved for first attempts of others.
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(isSlow ? 12 : 24);
    await record();
    await expect.poll(() => sent).toContain("new");
    expect(held).toHaveLength(isSlow ? 12 : 24);
    await stop();
  },
);

test("the first free connection is for the owner who waited longest for one", async () => {
  const { held, sent, record, stop } = await openHanging(20, { endpoints: 1, deliveries: 50, isSlow: 1 });
  await expect.poll(() => held.length).toBe(20);
  await record();
  expect(sent).toHaveLength(20);
  held[0]?.();
  await expect.poll(() => sent.length).toBeGreaterThan(20);
  // What is due may have been read before the new message; then the connection after that is for it.
  held[20]?.();
  await expect.poll(() => sent.slice(20, 22)).toContain("new");
  await stop();
});

test("an endpoint that answers isn't paused again by a process that read it before", async () => {
  const { services, record, endpoints, time } = await open();
  const setUnanswered = (unanswered: number) =>
    services.db.updateTable("webhook_endpoint").set({ unanswered, paused_until: 0 }).execute();
  await setUnanswered(5);
  await record();
  const [due] = await listDue(services.db, time.now);
  if (!due) throw new Error("Nothing is due.");
  await setUnanswered(0);
  expect(await claimDelivery(services.db, due, time.now)).toBeUndefined();
  expect(await endpoints()).toMatchObject([{ unanswered: 0, paused_until: 0 }]);
});

test("an endpoint that doesn't answer gets one message at a time, with a growing pause, until it answers", async () => {
  const { services, state, sender, record, received, read, id, endpoints, log, time, ada } = await open();
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 1 }).execute();
  state.answer = (response) => response.destroy();
  for (let n = 0; n < 9; n++) await record();
  await sender.runDue();
  expect(received).toHaveLength(3);
  const other = openSender(services);
  const sentAfter = async (ms: number) => {
    time.now += ms;
    const before = received.length;
    await Promise.all([sender.runDue(), other.runDue()]);
    return received.length - before;
  };
  const counts = [];
  for (const wait of [minute - 1, 1, minute, minute, 4 * minute, 8 * minute]) counts.push(await sentAfter(wait));
  expect(counts).toEqual([0, 1, 0, 1, 1, 1]);
  const page = await read(`/webhooks/${id}`);
  for (const text of ["7 attempts in a row got no answer", "9 messages are waiting"]) expect(page).toContain(text);
  // By hand, it is tried at once.
  await ada.post(`/webhooks/${id}`, { intent: "resend-failed", since: "1" });
  expect(await sentAfter(0)).toBe(1);
  state.answer = (response) => response.writeHead(500).end();
  await ada.post(`/webhooks/${id}`, { intent: "test", kind: "plan.changed" });
  expect(await sentAfter(0)).toBe(0);
  state.answer = (response) => response.end();
  await ada.post(`/webhooks/${id}`, { intent: "test", kind: "plan.changed" });
  await sentAfter(0);
  expect((await log()).map((delivery) => delivery.state)).toContain("delivered");
  await sentAfter(day);
  expect((await log()).filter(({ state: one }) => one !== "delivered")).toMatchObject([{ is_test: 1 }]);
  expect(await endpoints()).toMatchObject([{ unanswered: 0, paused_until: 0 }]);
});

test("above the most that can wait, messages are left out and counted, and no more are sent again", async () => {
  const { services, ownerId, id, deliver, record, sender, read, log, time, ada } = await open();
  const row = { owner_id: ownerId, endpoint_id: id, next_attempt_at: time.now + day };
  await deliver(maxWaiting - 1, row);
  for (let n = 0; n < 3; n++) await record();
  await record({ kind: "consent.withdrawn", ownerId, leadId: "lead", request: "erased" });
  expect((await log()).length).toBe(maxWaiting + 1);
  const page = () => read(`/webhooks/${id}`);
  expect(await page()).toContain("2 messages were left out, the last one on");
  await deliver(2, { ...row, state: "failed", next_attempt_at: null });
  const resend = async () => {
    await ada.post(`/webhooks/${id}`, { intent: "resend-failed", since: "1" });
    return pendingToast(ada);
  };
  expect(await resend()).toMatchObject({
    title: "Too many messages are waiting",
    text: expect.stringContaining("2 more failed"),
  });
  await sender.runDue();
  await services.db.updateTable("webhook_delivery").set({ attempts: 1 }).where("state", "=", "waiting").execute();
  expect(await resend()).toMatchObject({
    title: "1,000 messages are sent again",
    text: expect.stringContaining("1 more failed"),
  });
  await services.db.deleteFrom("webhook_delivery").where("state", "=", "waiting").execute();
  expect(await resend()).toMatchObject({ title: "1 message is sent again" });
  await record();
  expect(await page()).toContain("2 messages were left out");
  time.now += 30 * day + 1;
  expect(await page()).not.toContain("left out");
});
