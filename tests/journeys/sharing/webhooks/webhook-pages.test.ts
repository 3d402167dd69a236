import { expect, test } from "vitest";

import { webhookLimits } from "#app/features/webhooks/rules.ts";
import { pendingToast } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

async function openOwner() {
  const hooks = await openHookServer((response) => response.writeHead(202).end("thanks"));
  const app = await createTestApp({ allowedOrigins: [hooks.origin] });
  const user = await app.signedIn();
  await user.get("/profile");
  const add = async () => {
    const page = await user.post("/webhooks/new", { url: `${hooks.origin}/in`, "plan.changed": "on" });
    return await page.text();
  };
  return { ...app, ...hooks, user, add };
}

test("an owner adds a webhook, sees its secret, tests it and reads the answer", async () => {
  const { user, add, received, services } = await openOwner();
  const list = await (await user.get("/webhooks")).text();
  for (const text of ["No webhooks yet", 'href="/docs#webhooks"']) expect(list).toContain(text);
  expect(await (await user.get("/webhooks/new")).text()).toContain("Send when");
  expect(await add()).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
  const { id } = await services.db.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
  expect(await (await user.get(`/webhooks/${id}`)).text()).toContain("Nothing sent yet");
  const sent = await user.post(`/webhooks/${id}`, { intent: "test", kind: "plan.changed" });
  expect(received).toHaveLength(1);
  const page = await (await user.get(sent.headers.get("location") ?? "")).text();
  for (const text of ["202", "thanks", "webhook-signature", "Delivered"]) expect(page).toContain(text);
  expect(await (await user.post(`/webhooks/${id}/secret`, { intent: "rotate" })).text()).toContain("whsec_");
  expect(await (await user.get(`/webhooks/${id}`)).text()).toContain("Also signs until");
  const events = await services.db.selectFrom("security_event").select("event").execute();
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["webhook-added", "webhook-secret-shown", "webhook-secret-rotated"]),
  );
  await user.post(`/webhooks/${id}`, { intent: "delete" });
  expect(await (await user.get("/webhooks")).text()).toContain("No webhooks yet");
});

test.each([
  [202, "Test delivered", "success"],
  [500, "Test failed", "error"],
])("after an answer of %i, a test says %s, and the answer comes before the body", async (status, title, tone) => {
  const { user, add, services, state } = await openOwner();
  await add();
  state.answer = (response) => response.writeHead(status).end("the answer");
  const { id } = await services.db.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
  const sent = await user.post(`/webhooks/${id}`, { intent: "test", kind: "plan.changed" });
  expect(pendingToast(user)).toMatchObject({ title, tone });
  const page = await (await user.get(sent.headers.get("location") ?? "")).text();
  expect(page.indexOf("the answer")).toBeLessThan(page.indexOf("Sent without these line breaks."));
  expect(page).toContain("the answer");
});

test.each([
  ["", "Enter the address"],
  ["hooks", "Enter a full address"],
  ["http://hooks.example/", "must start with https"],
  ["https://hooks.example:8443/", "without a port"],
  ["https://a:b@hooks.example/", "Leave out the user name"],
  ["https://127.1/", "on the internet"],
  ["https://localhost./", "on the internet"],
])("the address %s is refused next to its field, and stays", async (url, error) => {
  const { user } = await openOwner();
  const response = await user.post("/webhooks/new", { url, "card.saved": "on" });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain(error);
  if (url) expect(page).toContain(`value="${url}"`);
});

test("of twenty forms at once, five add a webhook", async () => {
  const { add, services } = await openOwner();
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await services.db.selectFrom("webhook_endpoint").select("id").execute()).toHaveLength(5);
});

test.each([
  ["test", webhookLimits.tests, { intent: "test", kind: "plan.changed" }],
  ["repeat what failed", webhookLimits.redeliveries, { intent: "resend-failed", since: "1" }],
  ["switch it on", webhookLimits.changes, { intent: "on" }],
] as const)("an owner who presses too often to %s is told when to try again", async (_, limit, form) => {
  const { user, add, received, services } = await openOwner();
  await add();
  const { id, owner_id: subject } = await services.db
    .selectFrom("webhook_endpoint")
    .select(["id", "owner_id"])
    .executeTakeFirstOrThrow();
  for (let n = 0; n < limit.max; n++) await services.rateLimits.consume([{ limit, subject }]);
  await user.post(`/webhooks/${id}`, form);
  expect(pendingToast(user)).toMatchObject({ title: "Too many at once", text: expect.stringContaining("Try again") });
  expect(received).toEqual([]);
});

test("another owner finds nothing", async () => {
  const { add, services, signedIn } = await openOwner();
  await add();
  const { id } = await services.db.selectFrom("webhook_endpoint").select("id").executeTakeFirstOrThrow();
  const other = await signedIn("eve@example.com");
  for (const path of [`/webhooks/${id}`, `/webhooks/${id}/edit`, `/webhooks/${id}/secret`])
    expect((await other.get(path)).status, path).toBe(404);
  expect((await other.post(`/webhooks/${id}`, { intent: "delete" })).status).toBe(404);
  expect(await services.db.selectFrom("webhook_endpoint").select("id").execute()).toHaveLength(1);
});
