import { sql } from "kysely";
import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { addEndpoint, saveEndpoint } from "#app/features/webhooks/data.server.ts";
import { deleteOldDeliveries } from "#app/features/webhooks/delivery/delivery-data.server.ts";
import { webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import { logMs, maxFailingMs, webhookLimits } from "#app/features/webhooks/rules.ts";
import { day } from "#tests/journeys/leads/lead-owner.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { openWebhook, origin } from "./webhook-owner.ts";

const kinds = ["plan.changed"] as const;

test("an endpoint that was added, moved or switched on has one connection until it has answered", async () => {
  const { services, ownerId, id, origin: hooks, record, sender, state } = await openWebhook();
  const change = { ownerId, id, origin };
  const waiting: (() => void)[] = [];
  const expectAtOnce = async (count: number) => {
    state.answer = (response, { path }) =>
      path === "/last" ? response.end() : void waiting.push(() => response.end());
    for (let n = 0; n < 6; n++) await record();
    const work = sender.runDue();
    await expect.poll(() => waiting.length).toBeGreaterThanOrEqual(count);
    // Requests start together: no other one comes after this.
    await fetch(`${hooks}/last`, { method: "POST", body: "{}" });
    expect(waiting).toHaveLength(count);
    state.answer = (response) => response.end();
    for (const answer of waiting.splice(0)) answer();
    await work;
  };
  await expectAtOnce(4);
  await saveEndpoint(services, { ...change, url: `${hooks}/moved`, kinds });
  await expectAtOnce(1);
  for (const isOn of [false, true]) await saveEndpoint(services, { ...change, isOn });
  await expectAtOnce(1);
  await expectAtOnce(4);
  await addEndpoint(services, { ownerId, url: `${hooks}/new`, kinds, origin });
  await expectAtOnce(5);
});

test("nothing is stored for an account that was deleted a moment ago", async () => {
  const { services, ownerId, wait, endpoints } = await openWebhook();
  await deleteAccount(services, { ownerId, feedback: "" });
  await wait();
  expect(await addEndpoint(services, { ownerId, url: "https://example.com/in", kinds, origin })).toBeUndefined();
  expect(await endpoints()).toEqual([]);
});

test("the log of a blocked account ends after 30 days, too", async () => {
  const { services, ownerId, record, sender, log, time } = await openWebhook();
  await record();
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
  const { services, recordAndSend, mails, time, endpoints } = await openWebhook((r) => r.writeHead(500).end());
  await sql`update "user" set "emailVerified" = false`.execute(services.db);
  await recordAndSend();
  time.now += maxFailingMs;
  await recordAndSend();
  expect(await endpoints()).toMatchObject([{ off_reason: "failing" }]);
  expect((await mails()).filter(({ subject }) => subject.includes("switched off"))).toEqual([]);
});

test("long answers are stored up to a limit, and shortened above it", async () => {
  const { services, ownerId, recordAndSend } = await openWebhook((response) => response.end("é".repeat(5_000)));
  await recordAndSend();
  await useUp(services, { limit: webhookLimits.longAnswers, subject: ownerId });
  await recordAndSend();
  const rows = await services.db.selectFrom("webhook_attempt").select("answer").execute();
  const lengths = rows.map(({ answer }) => webhookBox(services).read(answer, ownerId)?.length ?? 0);
  expect(lengths.toSorted((a, b) => a - b)).toEqual([200, 4_000]);
});
