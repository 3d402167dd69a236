import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { saveChat } from "#app/features/lead-notices/chat/chat-data.server.ts";
import { confirmForward } from "#app/features/lead-notices/forwarding/forwards-data.server.ts";
import { addEndpoint } from "#app/features/webhooks/data.server.ts";
import { day } from "#tests/journeys/leads/lead-owner.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

import { openLeadForm } from "./shared-contacts.ts";

const origin = { headers: new Headers() };

/** A lead that went every way there is: notes, calendar, mail, chat and webhook, whose other sides repeat what they got and fail. */
async function passOn() {
  const hooks = await openHookServer((response, { body }) => response.writeHead(503).end(body));
  const app = await openLeadForm({}, { allowedOrigins: [hooks.origin] });
  const { ada, ownerId, send, services, mailsTo, wait } = app;
  const { db } = services;
  await ada.post("/leads/notifications", { intent: "add-forward", address: "crm@example.com" });
  const [forward] = await db.selectFrom("lead_forward").select("id").execute();
  await confirmForward(services, { id: forward?.id ?? "", origin });
  await ada.post("/leads/notifications", { intent: "create-calendar" });
  await saveChat(services, { ownerId, url: `${hooks.origin}/chat`, timing: "now", hour: 8, origin });
  await addEndpoint(services, { ownerId, url: `${hooks.origin}/in`, kinds: ["lead.created"], origin });
  await send({ name: "Zzgrace", email: "zzgrace@example.com", note: "zznote" });
  await wait();
  const [lead] = await app.leads();
  const notes = { status: "won", ownerNote: "zzowner", followUp: "2026-12-24", tags: "zztag" };
  await ada.post(`/leads/${lead?.id}`, { intent: "save", ...notes });
  const [mail] = await mailsTo("zzgrace@example.com");
  const link = /\/shared\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  /** The tables that name the person. */
  const findTraces = async () => {
    const found: string[] = [];
    for (const { name } of await db.introspection.getTables())
      if (/zz(grace|note|owner|tag)/i.test(JSON.stringify(await selectAll({ db }, name)))) found.push(name);
    return found.toSorted();
  };
  return { ...app, hooks, link, findTraces };
}

test.each(["erase", "withdraw"])("a visitor who presses %s is nowhere any more, and in no log", async (intent) => {
  const app = await passOn();
  expect(app.hooks.received.map(({ path, body }) => [path, body.includes("Zzgrace")]).toSorted()).toEqual([
    ["/chat", true],
    ["/in", true],
  ]);
  expect(await app.findTraces()).toEqual(["lead", "lead_tag"]);
  await app.visitor().post(app.link, { intent });
  await app.wait();
  expect(await app.findTraces()).toEqual([]);
  await app.wait(2 * day);
  expect(app.hooks.received).toHaveLength(2);
  expect(await app.findTraces()).toEqual([]);
  expect(JSON.stringify(app.logLines)).not.toMatch(/zz(grace|note|owner|tag)/i);
});

test("a deleted account leaves nothing of its leads, and sends nothing more", async () => {
  const app = await passOn();
  await deleteAccount(app.services, { ownerId: app.ownerId, feedback: "" });
  await app.wait();
  await app.wait(2 * day);
  expect(app.hooks.received).toHaveLength(2);
  expect(await app.findTraces()).toEqual([]);
});
