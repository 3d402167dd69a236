import { sql } from "kysely";
import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { addEndpoint, saveEndpoint, switchOff, switchOn } from "#app/features/webhooks/data.server.ts";
import { deleteOldDeliveries } from "#app/features/webhooks/delivery/delivery-data.server.ts";
import { webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import { logMs, maxFailingMs, webhookLimits } from "#app/features/webhooks/rules.ts";

import { day, openWebhook, origin } from "./webhook-owner.ts";

const kinds = ["plan.changed"] as const;

test("an endpoint that was added, moved or switched on has one connection until it has answered", async () => {
  const app = await openWebhook();
  const { services, ownerId, id, origin: hooks, record, sender, state } = app;
  const change = { ownerId, id, origin };
  const waiting: (() => void)[] = [];
  const countAtOnce = async () => {
    state.answer = (response) => void waiting.push(() => response.end());
    for (let n = 0; n < 6; n++) await record({ kind: "plan.changed", ownerId });
    const work = sender.runDue();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    // Others would have been sent by now: requests start together.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const count = waiting.length;
    state.answer = (response) => response.end();
    for (const answer of waiting.splice(0)) answer();
    await work;
    return count;
  };
  expect(await countAtOnce()).toBe(4);
  await saveEndpoint(services, { ...change, url: `${hooks}/moved`, kinds });
  expect(await countAtOnce()).toBe(1);
  await switchOff(services, change);
  await switchOn(services, change);
  expect(await countAtOnce()).toBe(1);
  expect(await countAtOnce()).toBe(4);
  await addEndpoint(services, { ownerId, url: `${hooks}/new`, kinds, origin });
  expect(await countAtOnce()).toBe(5);
});

test("nothing is stored for an account that was deleted a moment ago", async () => {
  const { services, ownerId } = await openWebhook();
  await deleteAccount(services, { ownerId, feedback: "" });
  await services.jobs.runDue();
  expect(await addEndpoint(services, { ownerId, url: "https://example.com/in", kinds, origin })).toBeUndefined();
  expect(await services.db.selectFrom("webhook_endpoint").selectAll().execute()).toEqual([]);
});

test("the log of a blocked account ends after 30 days, too", async () => {
  const { services, ownerId, record, sender, log, time } = await openWebhook();
  await record({ kind: "plan.changed", ownerId });
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  time.now += logMs + day;
  await sender.runDue();
  await deleteOldDeliveries(services.db, time.now - logMs);
  expect(await log()).toHaveLength(1);
  time.now += day + 1;
  await deleteOldDeliveries(services.db, time.now - logMs);
  expect(await log()).toEqual([]);
});

test("a webhook that fails for days is mailed to a confirmed address alone", async () => {
  const app = await openWebhook((response) => response.writeHead(500).end());
  const { services, ownerId, record, sender, mails, time } = app;
  await sql`update "user" set "emailVerified" = false`.execute(services.db);
  await record({ kind: "plan.changed", ownerId });
  await sender.runDue();
  time.now += maxFailingMs;
  await record({ kind: "plan.changed", ownerId });
  await sender.runDue();
  await services.jobs.runDue();
  expect(await services.db.selectFrom("webhook_endpoint").select("off_reason").execute()).toEqual([
    { off_reason: "failing" },
  ]);
  expect((await mails()).filter(({ subject }) => subject.includes("switched off"))).toEqual([]);
});

test("long answers are stored up to a limit, and shortened above it", async () => {
  const { services, ownerId, record, sender } = await openWebhook((response) => response.end("é".repeat(5_000)));
  const send = async () => {
    await record({ kind: "plan.changed", ownerId });
    await sender.runDue();
  };
  await send();
  const attempt = { limit: webhookLimits.longAnswers, subject: ownerId };
  for (let n = 1; n < attempt.limit.max; n++) await services.rateLimits.consume([attempt]);
  await send();
  const rows = await services.db.selectFrom("webhook_attempt").select("answer").execute();
  const lengths = rows.map(({ answer }) => webhookBox(services).read(answer, ownerId)?.length ?? 0);
  expect(lengths.toSorted((a, b) => a - b)).toEqual([200, 4_000]);
});
