import { expect, test } from "vitest";

import { webhookLimits } from "#app/features/webhooks/rules.ts";
import { openOwner as openApp } from "#tests/journeys/leads/lead-owner.ts";
import { pendingToast } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { useUp } from "#tests/support/database/attempts.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

async function openOwner() {
  const hooks = await openHookServer((response) => response.writeHead(202).end("thanks"));
  const app = await openApp({ allowedOrigins: [hooks.origin] });
  const { ada, services } = app;
  const add = (url = `${hooks.origin}/in`) => ada.post("/webhooks/new", { url, "plan.changed": "on" });
  const ids = async () => (await services.db.selectFrom("webhook_endpoint").select("id").execute()).map(({ id }) => id);
  return { ...app, ...hooks, add, ids };
}

async function openWebhook() {
  const app = await openOwner();
  const addedPage = await (await app.add()).text();
  const path = `/webhooks/${(await app.ids())[0]}`;
  const press = (form: Record<string, string>) => app.ada.post(path, form);
  return { ...app, addedPage, path, press, sendTest: () => press({ intent: "test", kind: "plan.changed" }) };
}

test("an owner adds a webhook, sees its secret, tests it and reads the answer", async () => {
  const { ada, read, addedPage, path, press, sendTest, received, services } = await openWebhook();
  expect(addedPage).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
  expect(await read("/webhooks/new")).toContain("Send when");
  expect(await read(path)).toContain("Nothing sent yet");
  const sent = await sendTest();
  expect(received).toHaveLength(1);
  const page = await read(sent.headers.get("location") ?? "");
  for (const text of ["202", "thanks", "webhook-signature", "Delivered"]) expect(page).toContain(text);
  expect(await (await ada.post(`${path}/secret`, { intent: "rotate" })).text()).toContain("whsec_");
  expect(await read(path)).toContain("Also signs until");
  const events = await services.db.selectFrom("security_event").select("event").execute();
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["webhook-added", "webhook-secret-shown", "webhook-secret-rotated"]),
  );
  await press({ intent: "delete" });
  const list = await read("/webhooks");
  for (const text of ["No webhooks yet", 'href="/docs#webhooks"']) expect(list).toContain(text);
});

test("a test says whether it was delivered, and the answer comes before the body", async () => {
  const { ada, read, sendTest, state } = await openWebhook();
  for (const [status, toast] of [
    [202, { title: "Test delivered", tone: "success" }],
    [500, { title: "Test failed", tone: "error" }],
  ] as const) {
    state.answer = (response) => response.writeHead(status).end("the answer");
    const sent = await sendTest();
    expect(pendingToast(ada)).toMatchObject(toast);
    const page = await read(sent.headers.get("location") ?? "");
    expect(page).toMatch(/the answer[^]*Sent without these line breaks\./);
  }
});

test("an address that isn't public is refused next to its field, and stays", async () => {
  const { add, ids } = await openOwner();
  for (const [url, error] of [
    ["", "Enter the address"],
    ["hooks", "Enter a full address"],
    ["http://hooks.example/", "must start with https"],
    ["https://hooks.example:8443/", "without a port"],
    ["https://a:b@hooks.example/", "Leave out the user name"],
    ["https://127.1/", "on the internet"],
    ["https://localhost./", "on the internet"],
  ] as const) {
    const page = await textWith(400, await add(url), url);
    for (const text of [error, `value="${url}"`]) expect(page).toContain(text);
  }
  expect(await ids()).toEqual([]);
});

test("of twenty forms at once, five add a webhook", async () => {
  const { add, ids } = await openOwner();
  await Promise.all(Array.from({ length: 20 }, () => add()));
  expect(await ids()).toHaveLength(5);
});

test("an owner who presses too often is told when to try again", async () => {
  const { ada, ownerId, press, received, services } = await openWebhook();
  for (const [limit, form] of [
    [webhookLimits.tests, { intent: "test", kind: "plan.changed" }],
    [webhookLimits.redeliveries, { intent: "resend-failed", since: "1" }],
    [webhookLimits.changes, { intent: "on" }],
  ] as const) {
    await useUp(services, { limit, subject: ownerId });
    await press(form);
    expect(pendingToast(ada)).toMatchObject({ title: "Too many at once", text: expect.stringContaining("Try again") });
    await ada.get("/webhooks");
  }
  expect(received).toEqual([]);
});

test("another owner finds nothing", async () => {
  const { ids, path, signedIn } = await openWebhook();
  const other = await signedIn("eve@example.com");
  for (const page of [path, `${path}/edit`, `${path}/secret`]) expect((await other.get(page)).status, page).toBe(404);
  expect((await other.post(path, { intent: "delete" })).status).toBe(404);
  expect(await ids()).toHaveLength(1);
});
