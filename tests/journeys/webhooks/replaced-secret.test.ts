import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { saveChat } from "#app/features/lead-notices/chat/chat-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { day, minute } from "#tests/journeys/leads/lead-owner.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";

import { openWebhook, origin } from "./webhook-owner.ts";

const changed = "the installation’s secret has changed";

const ways = {
  replaced: (file: string) => writeFileSync(file, JSON.stringify({ auth: "another secret of forty-three characters" })),
  missing: (file: string) => rmSync(file),
};

/** An owner with a webhook, with a message that waits and one in the log, and a chat; then the program starts without their secret. */
async function open(way: keyof typeof ways = "replaced") {
  const before = await openWebhook((response) => response.writeHead(500).end("The answer from before"));
  const { ownerId, origin: hooks, time, id } = before;
  const { email, password } = before.ada;
  await saveChat(before.services, { ownerId, url: `${hooks}/chat`, timing: "now", hour: 8, origin });
  await before.recordAndSend();
  ways[way](join(before.dataDir, "secrets.json"));
  time.now += 1_000;
  const app = await createTestApp({ allowedOrigins: [hooks], clock: () => time.now, restarted: before });
  const { services, logLines } = app;
  const ada = app.visitor();
  await ada.post("/auth", { intent: "log-in", email, password });
  const sent = before.received.length;
  const received = () => before.received.slice(sent);
  const record = async () => {
    await transact(services.db, (trx) => services.events.record(trx, { kind: "plan.changed", ownerId }));
    await services.jobs.runDue();
  };
  const log = () => services.db.selectFrom("webhook_delivery").selectAll().orderBy("created_at").execute();
  const text = async (path: string) => {
    const response = await ada.get(path);
    expect(response.status, path).toBe(200);
    return response.text();
  };
  const post = async (path: string, form: Record<string, string>) => (await ada.post(path, form)).text();
  const errors = () => logLines.filter(({ level }) => Number(level) >= 50).map(({ msg }) => msg);
  return { ...app, hooks, time, ada, ownerId, id, log, text, post, received, errors, record };
}

describe("with another secret", () => {
  test.each(["replaced", "missing"] as const)(
    "every page opens and says what to do, and the log has one error: %s",
    async (way) => {
      const { text, id, errors, log } = await open(way);
      expect(await text("/webhooks")).toContain("Address can’t be read");
      const [delivery] = await log();
      const page = await text(`/webhooks/${id}`);
      for (const part of [changed, "Delete the webhook and add it again"]) expect(page).toContain(part);
      expect(page).not.toContain("Send test");
      const secretPage = await text(`/webhooks/${id}/secret`);
      expect([changed, "are signed with both"].map((part) => secretPage.includes(part))).toEqual([true, false]);
      expect(await text(`/webhooks/${id}/edit`)).toContain("Edit webhook");
      expect(await text(`/webhooks/${id}/log/${delivery?.id}`)).toContain(changed);
      const settings = await text("/leads/notifications");
      const parts = [changed, "Enter it again, or remove the chat", "Remove chat", "Send a test message"];
      expect(parts.map((part) => settings.includes(part))).toEqual([true, true, true, false]);
      expect(errors()).toEqual([expect.stringContaining("secrets.json in DATA_DIR isn't the one")]);
    },
  );

  test("the webhook and the chat can be removed, and added again", async () => {
    const { ada, id, hooks, record, received, services, post } = await open();
    const change = (intent: string) => ada.post(`/webhooks/${id}`, { intent });
    expect([(await change("off")).status, (await change("on")).status]).toEqual([302, 302]);
    expect((await change("delete")).headers.get("location")).toBe("/webhooks");
    await post("/leads/notifications", { intent: "remove-chat", url: "" });
    const chats = services.db.selectFrom("lead_notice").select("owner_id").where("channel", "=", "chat");
    expect(await chats.execute()).toEqual([]);
    expect(await post("/webhooks/new", { url: `${hooks}/in`, "plan.changed": "on" })).toContain("whsec_");
    await record();
    expect(received()).toHaveLength(1);
  });

  test("deliveries end as failed with the reason, those that waited too, and aren't repeated", async () => {
    const { services, record, log, time, received, text, id, errors } = await open();
    await record();
    time.now += minute;
    await services.jobs.runDue();
    const rows = await log();
    expect(rows.map(({ state, next_attempt_at: next }) => [state, next])).toEqual([
      ["failed", null],
      ["failed", null],
    ]);
    for (let n = 0; n < 5; n++) {
      time.now += minute;
      await services.jobs.runDue();
    }
    expect((await log()).map(({ attempts }) => attempts).toSorted()).toEqual([1, 2]);
    expect(received()).toEqual([]);
    expect(await text(`/webhooks/${id}/log/${rows[1]?.id}`)).toContain("the signing secret can’t be read anymore");
    expect(errors()).toHaveLength(1);
  });
});

test("an owner can enter the address again and rotate the secret instead", async () => {
  const { id, hooks, record, received, text, post, services } = await open();
  const shownBefore = (await services.db.selectFrom("security_event").select("event").execute()).filter(isShown);
  await post(`/webhooks/${id}/edit`, { url: `${hooks}/other`, "plan.changed": "on" });
  expect(await text(`/webhooks/${id}`)).toContain("Its signing secret can’t be read anymore");
  expect(await post(`/webhooks/${id}/secret`, { intent: "show" })).not.toContain("whsec_");
  expect(await post(`/webhooks/${id}/secret`, { intent: "rotate" })).toContain("whsec_");
  expect(await text(`/webhooks/${id}`)).not.toMatch(/installation|Also signs until/);
  await record();
  expect(received().map(({ path }) => path)).toEqual(["/other"]);
  const events = await services.db.selectFrom("security_event").select("event").execute();
  expect(events.filter(isShown)).toEqual(shownBefore);
});

const isShown = ({ event }: { event: string }) => event === "webhook-secret-shown";

test("a webhook that can't be read is switched off after five days, with a mail that says why", async () => {
  const { record, time, mails, services } = await open();
  for (let n = 0; n < 7; n++) {
    await record();
    time.now += day;
  }
  const endpoint = await services.db.selectFrom("webhook_endpoint").selectAll().executeTakeFirst();
  expect(endpoint).toMatchObject({ is_on: 0, off_reason: "failing" });
  const mail = (await mails()).find(({ subject }) => subject === "Your webhook was switched off");
  expect(mail?.text).toContain("the installation’s secret has changed");
});

test("leads for a chat aren't tried again, and its owner enters another address", async () => {
  const { services, ownerId, time, ada, received, text, post, errors } = await open();
  await insertLead(services, { id: "lead-1", ownerId, now: time.now, lead: { name: "Grace" }, text: servicesText });
  await services.jobs.runDue();
  for (let n = 0; n < 3; n++) {
    time.now += day;
    await services.jobs.runDue();
  }
  const waiting = services.db.selectFrom("lead_in_notice").selectAll().where("channel", "=", "chat");
  expect(await waiting.execute()).toEqual([]);
  expect(errors()).toHaveLength(1);
  expect(await post("/leads/notifications", { intent: "test-chat", url: "" })).toContain(changed);
  const form = { intent: "save-chat", url: "https://hooks.slack.com/services/abcd", timing: "now", hour: "8" };
  expect((await ada.post("/leads/notifications", form)).status).toBe(302);
  const settings = await text("/leads/notifications");
  expect(settings).toContain("hooks.slack.com/…abcd");
  expect(settings).not.toContain("installation’s");
  expect(received()).toEqual([]);
});

test("an export has everything else", async () => {
  const { services, ownerId } = await open();
  const sections = services.dataExports.flatMap(({ sections: read }) =>
    Object.entries(read({ ...services, ownerId, baseUrl: services.config.baseUrl })),
  );
  const readSection = async (name: string) => {
    const rows = [];
    const found = await sections.find(([known]) => known === name)?.[1]();
    for await (const row of (found ?? []) as AsyncIterable<unknown> | unknown[]) rows.push(row);
    return rows;
  };
  expect(await readSection("webhooks")).toEqual([expect.objectContaining({ url: null, is_on: 1 })]);
  expect(await readSection("webhookDeliveries")).toEqual([
    expect.objectContaining({ attempts: [expect.objectContaining({ status: 500, answer: null })] }),
  ]);
});
