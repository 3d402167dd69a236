import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";

import { openHookServer } from "#tests/support/providers/hook-server.ts";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

test("a webhook is subscribed to, gets signed messages, is changed and deleted", async () => {
  const hooks = await openHookServer((response) => response.writeHead(200).end());
  const { call, ada, services } = await createApiApp({ allowedOrigins: [hooks.origin] });
  const url = `${hooks.origin}/in`;
  const subscription = { body: { url, events: ["card.saved"] }, headers: { "idempotency-key": "hook-1" } };
  const created = await call("POST /webhooks", subscription);
  expect((await call("POST /webhooks", subscription)).body).toEqual(created.body);
  expect([created.status, created.headers.get("location")]).toEqual([201, `/api/v1/webhooks/${created.body.id}`]);
  const { secret, ...webhook } = created.body;
  expect(JSON.stringify(await services.db.selectFrom("api_call").selectAll().execute())).not.toContain(secret);
  expect(webhook).toMatchObject({ url, events: ["card.saved"], isOn: true });
  const path = `/webhooks/${webhook.id}`;
  expect((await call(`GET ${path}`)).body).toEqual(webhook);
  await call("POST /cards", { body: { cardName: "Work" } });
  await services.jobs.runDue();
  expect(hooks.received).toHaveLength(1);
  const [message] = hooks.received;
  expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({ type: "card.saved" });

  const off = await call(`PATCH ${path}`, { body: { isOn: false, events: ["lead.created"] } });
  expect(off.body).toMatchObject({ isOn: false, offReason: "owner", events: ["lead.created"] });
  const log = await (await ada.get("/account/security-log")).text();
  expect(log).toContain("Added a webhook");
  expect((await call(`DELETE ${path}`)).status).toBe(204);
  expect((await call("GET /webhooks")).body.data).toEqual([]);
});

test("a change of a webhook is made as a whole or not at all", async () => {
  const { call, services } = await createApiApp();
  const { body } = await call("POST /webhooks", { body: { url: "https://example.com/in", events: ["card.saved"] } });
  const record = services.auth.recordSecurityEvent;
  services.auth.recordSecurityEvent = () => Promise.reject(new Error("The log can't be written."));
  const change = { events: ["lead.created"], isOn: false };
  expect((await call(`PATCH /webhooks/${body.id}`, { body: change })).status).toBe(500);
  services.auth.recordSecurityEvent = record;
  const { secret: _, ...before } = body;
  expect((await call(`GET /webhooks/${body.id}`)).body).toEqual(before);
  expect((await call(`PATCH /webhooks/${body.id}`, { body: change })).body).toMatchObject(change);
});

test("a webhook has the form's checks and limits, and is its owner's alone", async () => {
  const product = await createApiApp();
  const { call, services, ownerId } = product;
  const wrong = await call("POST /webhooks", { body: { url: "http://127.0.0.1/", events: [] } });
  expect(wrong.body.errors).toMatchObject([
    { pointer: "/url", message: "The address must start with https://." },
    { pointer: "/events", message: "Choose at least one event." },
  ]);
  const endpoint = { url: "https://example.com/in", events: ["card.saved"] };
  const sent = [];
  for (let n = 0; n < 6; n++) sent.push(await call("POST /webhooks", { body: endpoint }));
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 409]);
  const eve = await giveKey(product, await product.signedIn("eve@example.com"));
  const path = `/webhooks/${sent[0]?.body.id}`;
  for (const [method, body] of [["GET"], ["PATCH", { isOn: false }], ["DELETE"]] as const)
    expect((await callApi(product, `${method} ${path}`, { key: eve.key, body })).status, method).toBe(404);
  const rows = await services.db
    .selectFrom("webhook_endpoint")
    .select("is_on")
    .where("owner_id", "=", ownerId)
    .execute();
  expect(rows).toEqual(Array.from({ length: 5 }, () => ({ is_on: 1 })));
});
