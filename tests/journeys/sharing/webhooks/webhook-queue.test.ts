import { expect, test } from "vitest";

import { createSender } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { addEndpoint, switchOff } from "#app/features/webhooks/data.server.ts";
import { maxEndpoints } from "#app/features/webhooks/rules.ts";

import { day, minute, openWebhook, origin } from "./webhook-owner.ts";

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
  await services.db.updateTable("webhook_endpoint").set({ is_slow: 0 }).execute();
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
