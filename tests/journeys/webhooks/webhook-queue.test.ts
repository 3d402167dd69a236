import { expect, test } from "vitest";

import { createSender } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { addEndpoint, deleteWebhooksOfOwner, switchOff } from "#app/features/webhooks/data.server.ts";
import { sendTest } from "#app/features/webhooks/delivery/test-tasks.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { maxEndpoints } from "#app/features/webhooks/rules.ts";
import { day, minute } from "#tests/journeys/leads/lead-owner.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";

import { openWebhook, origin } from "./webhook-owner.ts";

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
  await record();
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
  const ahead = createSender({ ...services, clock: () => services.clock() + 30_000 });
  await Promise.all([sender.runDue(), ahead.runDue()]);
  expect(received).toHaveLength(20);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
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
