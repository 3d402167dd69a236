import { expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { hour, minute } from "#tests/journeys/leads/lead-owner.ts";
import { pendingToast } from "#tests/support/app/cards.ts";

import { openWebhook } from "./webhook-owner.ts";

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
  expect(pendingToast(ada)).toMatchObject({ title: "It can't be sent" });
  expect(await log()).toMatchObject([{ attempts, leased_until }]);
  await services.db.updateTable("webhook_delivery").set({ leased_until: 0, state: "failed" }).execute();
  expect(await read(path)).toContain("Send again");
  await ada.post(`/webhooks/${id}`, { intent: "off" });
  expect(await read(path)).not.toContain("Send again");
  await resend();
  expect(pendingToast(ada)).toMatchObject({ title: "It can't be sent" });
});
