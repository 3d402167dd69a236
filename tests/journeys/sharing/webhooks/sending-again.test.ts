import { expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { pendingToast } from "#tests/support/app/cards.ts";

import { day, hour, minute, openWebhook } from "./webhook-owner.ts";

type App = Awaited<ReturnType<typeof openWebhook>>;

/** An endpoint whose server answers with 500 until it is repaired. */
async function openBroken() {
  const app = await openWebhook((response) => response.writeHead(500).end());
  return { ...app, repair: () => (app.state.answer = (response) => response.end()) };
}

async function sendFor(app: App, ms: number) {
  for (let passed = 0; passed < ms; passed += 5 * minute) {
    app.time.now += 5 * minute;
    await app.sender.runDue();
  }
}

const pageOf = async ({ user, id, log }: App) => {
  const path = `/webhooks/${id}/log/${(await log())[0]?.id}`;
  return { path, read: async () => (await user.get(path)).text() };
};

test("a message that was given up, and one that arrived, are sent again with their ids and all attempts", async () => {
  const app = await openBroken();
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  await sendFor(app, 25 * hour);
  expect(await app.log()).toMatchObject([{ state: "failed", attempts: 8 }]);
  app.repair();
  const endpointPage = async () => (await app.user.get(`/webhooks/${app.id}`)).text();
  expect(await endpointPage()).toContain("Send again all that failed");
  const { path, read } = await pageOf(app);
  expect(await read()).toContain("Send again");
  await app.user.post(path, { intent: "resend" });
  expect(pendingToast(app.user)).toMatchObject({ title: "Sent again in a moment" });
  await app.sender.runDue();
  expect(await app.log()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(await endpointPage()).not.toContain("Send again all that failed");
  await app.user.post(path, { intent: "resend" });
  await app.sender.runDue();
  expect(new Set(app.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(app.received).toHaveLength(10);
});

test("a message that waits for its next attempt is sent at once when its owner has repaired the server", async () => {
  const app = await openBroken();
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  const { path, read } = await pageOf(app);
  expect(await read()).not.toContain("Send now");
  await sendFor(app, 1.5 * hour);
  expect(await app.log()).toMatchObject([{ state: "waiting", attempts: 4 }]);
  app.repair();
  expect(await read()).toContain("Send now");
  await app.user.post(path, { intent: "resend" });
  await app.sender.runDue();
  expect(await app.log()).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("all that failed in a time are sent again, those that wait for another attempt too, and no others", async () => {
  const app = await openBroken();
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  await sendFor(app, 26 * hour);
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  await sendFor(app, hour);
  await app.insertLead();
  await app.sender.runDue();
  await eraseLeads(app.services, { ownerId: app.ownerId, ids: ["lead-1"] });
  // Collected for a minute, not attempted yet.
  await app.record({ kind: "contact.saved", ownerId: app.ownerId, cardId: "card-1", source: "qr", count: 1 });
  app.repair();
  const before = app.received.length;
  const resend = (since: string) => app.user.post(`/webhooks/${app.id}`, { intent: "resend-failed", since });
  await resend("24");
  expect(pendingToast(app.user)).toMatchObject({ title: "1 message is sent again" });
  await app.sender.runDue();
  expect(app.received).toHaveLength(before + 1);
  await resend("168");
  expect(pendingToast(app.user)).toMatchObject({ title: "1 message is sent again" });
  await resend("168");
  expect(pendingToast(app.user)).toMatchObject({ title: "Nothing to send again" });
});

test("a message that a process is sending at this moment isn't sent a second time", async () => {
  const app = await openBroken();
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  await app.sender.runDue();
  const leased_until = app.time.now + minute;
  await app.services.db.updateTable("webhook_delivery").set({ leased_until }).execute();
  const { path } = await pageOf(app);
  await app.user.post(path, { intent: "resend" });
  expect(pendingToast(app.user)).toMatchObject({ title: "It can't be sent" });
  expect(await app.log()).toMatchObject([{ attempts: 1, leased_until }]);
});

test("nothing is sent again while the webhook is off", async () => {
  const app = await openBroken();
  await app.record({ kind: "plan.changed", ownerId: app.ownerId });
  await sendFor(app, day + hour);
  await app.user.post(`/webhooks/${app.id}`, { intent: "off" });
  const { path, read } = await pageOf(app);
  expect(await read()).not.toContain("Send again");
  await app.user.post(path, { intent: "resend" });
  expect(pendingToast(app.user)).toMatchObject({ title: "It can't be sent" });
});
