import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { addEndpoint, deleteWebhooksOfOwner, saveEndpoint } from "#app/features/webhooks/data.server.ts";
import { sendTest } from "#app/features/webhooks/delivery/test-tasks.server.ts";
import { maxEndpoints } from "#app/features/webhooks/rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { day, hour, minute } from "#tests/journeys/leads/lead-owner.ts";
import { pendingToast } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";

import { openSender, openWebhook, origin } from "./webhook-owner.ts";

test.each([
  [200, "delivered"],
  [500, "failed"],
])(
  "a message that is answered with %i while its endpoint is switched off is %s, and not repeated",
  async (status, state) => {
    const answers: (() => void)[] = [];
    const app = await openWebhook((response) => void answers.push(() => response.writeHead(status).end()));
    const { services, ownerId, id, sender, received, log } = app;
    for (let n = 0; n < 5; n++) await app.record();
    const work = sender.runDue();
    await expect.poll(() => answers.length).toBe(4);
    await saveEndpoint(services, { ownerId, id, origin, isOn: false });
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
  await record();
  const change = { leased_until: time.now + minute };
  await services.db.updateTable("webhook_delivery").set(change).execute();
  await saveEndpoint(services, { ownerId, id, origin, isOn: false });
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
  const other = await userIdOf(await signedIn("eve@example.com"));
  await addEndpoint(services, { ownerId: other, url: `${hooks}/other`, kinds, origin });
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 0 }).execute();
  const waiting: (() => void)[] = [];
  state.answer = (response, { path }) => (path === "/other" ? response.end() : void waiting.push(() => response.end()));
  for (let n = 0; n < 10; n++) await record();
  await record({ kind: "plan.changed", ownerId: other });
  const work = sender.runDue();
  await expect.poll(() => received.map(({ path }) => path)).toContain("/other");
  // As many connections as an owner may have.
  await expect.poll(() => waiting.length).toBe(8);
  state.answer = (response) => response.end();
  for (const answer of waiting) answer();
  await work;
  expect(received).toHaveLength(10 * maxEndpoints + 1);
});

test("two processes whose clocks differ by half a minute send each message once", async () => {
  const { record, sender, services, received } = await openWebhook();
  for (let n = 0; n < 20; n++) await record();
  const ahead = openSender({ ...services, clock: () => services.clock() + 30_000 });
  await Promise.all([sender.runDue(), ahead.runDue()]);
  expect(received).toHaveLength(20);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
});

test("a process whose clock is a minute ahead doesn't send what another one is sending", async () => {
  const responses: ServerResponse[] = [];
  const { record, sender, services, received, time } = await openWebhook((response) => {
    if (responses.push(response) > 1) response.end();
  });
  await record();
  const sent = sender.runDue();
  await expect.poll(() => received.length).toBe(1);
  time.now += 2_000;
  await openSender({ ...services, clock: () => services.clock() + 59_000 }, services.clock).runDue();
  responses[0]?.end();
  await sent;
  expect(received).toHaveLength(1);
});

test.each(["message", "test"])("a %s that is on its way while the account is deleted leaves nothing", async (what) => {
  const app = await openWebhook();
  const { services, ownerId, id, state } = app;
  const isDeleted = Promise.withResolvers<void>();
  state.answer = (response) => void isDeleted.promise.then(() => response.end("ok"));
  if (what === "message") await app.record();
  const work =
    what === "message" ? app.sender.runDue() : sendTest(services, { ownerId, endpointId: id, kind: "plan.changed" });
  await expect.poll(() => app.received).toHaveLength(1);
  await app.record({ kind: "account.deleted", ownerId });
  isDeleted.resolve();
  await work;
  expect(await app.stored()).toEqual([]);
});

test("an event that is handled while the account is deleted leaves nothing", async () => {
  const { services, ownerId, log } = await openWebhook();
  await transact(services.db, (trx) => services.events.record(trx, { kind: "plan.changed", ownerId }));
  const started = Promise.withResolvers<void>();
  const deleted = transact(services.db, async (trx) => {
    await deleteWebhooksOfOwner(trx, ownerId);
    started.resolve();
    // The subscriber waits for the endpoint, or has seen it and stored a delivery.
    for (let n = 0; n < 100; n++) await trx.selectFrom("profile").select("owner_id").execute();
  });
  await started.promise;
  await Promise.all([deleted, services.jobs.runDue()]);
  expect(await log()).toEqual([]);
});

/** An endpoint whose server answers with 500 until it is repaired, and a message that was sent to it for so long. */
async function openBroken(ms: number) {
  const app = await openWebhook((response) => response.writeHead(500).end());
  await app.record();
  const path = `/webhooks/${app.id}/log/${(await app.log())[0]?.id}`;
  const firstPage = await app.read(path);
  await app.sendFor(ms, 15 * minute);
  return {
    ...app,
    path,
    firstPage,
    repair: () => (app.state.answer = (response) => response.end()),
    resend: () => app.ada.post(path, { intent: "resend" }),
  };
}

test("a message that was given up, and one that arrived, are sent again with their ids and all attempts", async () => {
  const { id, ada, repair, read, path, resend, log, sender, received } = await openBroken(25 * hour);
  expect(await log()).toMatchObject([{ state: "failed", attempts: 8 }]);
  repair();
  expect(await read(`/webhooks/${id}`)).toContain("Send again all that failed");
  expect(await read(path)).toContain("Send again");
  await resend();
  expect(pendingToast(ada)).toMatchObject({ title: "Sent again in a moment" });
  await sender.runDue();
  expect(await log()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  expect(await read(`/webhooks/${id}`)).not.toContain("Send again all that failed");
  await resend();
  await sender.runDue();
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(received).toHaveLength(10);
});

test("a message that waits for its next attempt is sent at once when its owner has repaired the server", async () => {
  const { firstPage, repair, read, path, resend, log, sender } = await openBroken(1.5 * hour);
  expect(firstPage).not.toContain("Send now");
  expect(await log()).toMatchObject([{ state: "waiting", attempts: 4 }]);
  repair();
  expect(await read(path)).toContain("Send now");
  await resend();
  await sender.runDue();
  expect(await log()).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("all that failed in a time are sent again, those that wait for another attempt too, and no others", async () => {
  const app = await openBroken(26 * hour);
  const { ada, id, ownerId, services, sender, received } = app;
  await app.record();
  await app.sendFor(hour, 5 * minute);
  const lead = await app.share();
  await sender.runDue();
  await eraseLeads(services, { ownerId, ids: [lead] });
  // Collected for a minute, not attempted yet.
  await app.record({ kind: "contact.saved", ownerId, cardId: "card-1", source: "qr", count: 1 });
  app.repair();
  const before = received.length;
  const resend = async (since: string) => {
    await ada.post(`/webhooks/${id}`, { intent: "resend-failed", since });
    return pendingToast(ada);
  };
  expect(await resend("24")).toMatchObject({ title: "1 message is sent again" });
  await sender.runDue();
  expect(received).toHaveLength(before + 1);
  expect(await resend("168")).toMatchObject({ title: "1 message is sent again" });
  expect(await resend("168")).toMatchObject({ title: "Nothing to send again" });
});

test("a message isn't sent a second time while a process sends it, and none while the webhook is off", async () => {
  const { ada, id, resend, log, read, path, services, time } = await openBroken(15 * minute);
  const attempts = (await log())[0]?.attempts ?? 0;
  const leased_until = time.now + minute;
  await services.db.updateTable("webhook_delivery").set({ leased_until }).execute();
  await resend();
  expect(pendingToast(ada)).toMatchObject({ title: "It can’t be sent" });
  expect(await log()).toMatchObject([{ attempts, leased_until }]);
  await services.db.updateTable("webhook_delivery").set({ leased_until: 0, state: "failed" }).execute();
  expect(await read(path)).toContain("Send again");
  await ada.post(`/webhooks/${id}`, { intent: "off" });
  expect(await read(path)).not.toContain("Send again");
  await resend();
  expect(pendingToast(ada)).toMatchObject({ title: "It can’t be sent" });
});
