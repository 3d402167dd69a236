import { expect, test } from "vitest";

import { exportData, unpack } from "#tests/support/fixtures/archives.ts";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

const hour = 3_600_000;

test("an export has what the page's export has, is logged and mailed, and expires", async () => {
  let now = Date.now();
  const { call, app, key, ada, services, mails } = await createApiApp({ clock: () => now });
  await call("POST /cards", { body: { cardName: "Work" } });
  const started = await call("POST /account/exports");
  expect([started.status, started.body]).toMatchObject([202, { state: "running", bytes: null, expiresAt: null }]);
  const path = `/account/exports/${started.body.id}`;
  expect((await call("POST /account/exports")).body.id).toBe(started.body.id);
  const early = await call(`GET ${path}/archive`);
  expect([early.status, early.body.code]).toEqual([409, "conflict"]);
  await services.jobs.runDue();
  const { body } = await call(`GET ${path}`);
  expect(body).toMatchObject({ state: "ready", expiresAt: new Date(now + 24 * hour).toISOString() });
  expect((await mails()).filter(({ subject }) => subject === "Your data is ready to download")).toHaveLength(1);
  expect(await (await ada.get("/account/security-log")).text()).toContain("Exported all data");

  const headers = { authorization: `Bearer ${key}` };
  const response = await app.request(`http://localhost:3000/api/v1${path}/archive`, { headers });
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect((await response.clone().arrayBuffer()).byteLength).toBe(body.bytes);
  const archive = await unpack(response);
  const fromPage = await exportData(ada, services);
  expect(archive.names).toEqual(fromPage.names);
  const { securityEvents, ...data } = archive.data();
  const { securityEvents: more, ...same } = fromPage.data();
  expect(data).toEqual(same);
  expect(more.slice(1)).toEqual(securityEvents);
  // There is one at a time: that of the page replaced it.
  expect((await call(`GET ${path}`)).status).toBe(404);

  const last = (await call("POST /account/exports")).body.id;
  await services.jobs.runDue();
  now += hour;
  const refused = await call("POST /account/exports");
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    String((23 * hour) / 1_000),
  ]);
  expect((await call(`GET /account/exports/${last}/archive`)).status).toBe(200);
  now += 23 * hour;
  expect((await call(`GET /account/exports/${last}/archive`)).status).toBe(404);
});

test("an export is its owner's alone, and needs a scope of its own", async () => {
  const product = await createApiApp();
  const { body } = await product.call("POST /account/exports");
  await product.services.jobs.runDue();
  const eve = await giveKey(product, await product.signedIn("eve@example.com"));
  const reader = await giveKey(product, product.ada, { scopes: ["account:read", "leads:read"] });
  for (const path of [`/account/exports/${body.id}`, `/account/exports/${body.id}/archive`]) {
    expect((await callApi(product, `GET ${path}`, { key: eve.key })).status).toBe(404);
    expect((await callApi(product, `GET ${path}`, { key: reader.key })).body.code).toBe("missing_scope");
  }
  expect((await callApi(product, "POST /account/exports", { key: reader.key })).body.code).toBe("missing_scope");
});
