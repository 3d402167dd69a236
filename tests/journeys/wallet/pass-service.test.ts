import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { describe, expect, test } from "vitest";

import { issuePass } from "#app/features/wallet/data.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openUpdatedApp, openWithDevices, readPassJson } from "#tests/support/fixtures/wallet/updated-app.ts";

const type = "pass.example.card";

describe("the update service refuses", () => {
  test("a wrong token, an unknown pass and another card's token, alike, in every call", async () => {
    const { device, pass, id, services, ownerId } = await openUpdatedApp();
    const other = await issuePass(services, { cardId: "other-card", ownerId, contentHash: "x" });
    const phone = device(1);
    await phone.add(pass);
    const seen = new Set<string>();
    for (const [serial, token] of [
      [id, "wrong-token-of-a-good-length-0123456789"],
      [id, other.authenticationToken],
      ["other-card", pass.authenticationToken],
      ["unknown", pass.authenticationToken],
      [id, ""],
      ["..%2f..%2fprofile", pass.authenticationToken],
      ["%00", pass.authenticationToken],
      ["x".repeat(5_000), pass.authenticationToken],
    ] as const)
      for (const [method, path] of [
        ["POST", `/passkit/v1/devices/${phone.id}/registrations/${type}/${serial}`],
        ["DELETE", `/passkit/v1/devices/${phone.id}/registrations/${type}/${serial}`],
        ["GET", `/passkit/v1/passes/${type}/${serial}`],
      ] as const) {
        const body = method === "POST" ? { pushToken: phone.pushToken } : undefined;
        const response = await phone.send(path, { method, token, body });
        seen.add(`${response.status} ${await response.text()} ${response.headers.get("cache-control")}`);
      }
    expect([...seen]).toEqual(["401  no-store"]);
    const otherType = await phone.send(`/passkit/v1/passes/pass.other/${id}`, { token: pass.authenticationToken });
    expect(otherType.status).toBe(401);
    expect(await services.db.selectFrom("wallet_registration").selectAll().execute()).toHaveLength(1);
  });

  test("malformed devices and push tokens, and large bodies", async () => {
    const { device, pass, id, services } = await openUpdatedApp();
    const [deviceId, pushToken] = ["0".repeat(32), "ab".repeat(32)];
    for (const { status = 400, ...sent } of [
      { deviceId: "not-hex-at-all-not-hex", pushToken },
      { deviceId: "abc", pushToken },
      { deviceId, pushToken: "../../3/device" },
      { deviceId, pushToken: "a".repeat(500) },
      { deviceId, pushToken: undefined },
      { deviceId, pushToken: "a".repeat(5_000), status: 413 },
    ]) {
      const path = `/passkit/v1/devices/${sent.deviceId}/registrations/${type}/${id}`;
      const body = { pushToken: sent.pushToken };
      const response = await device(1).send(path, { method: "POST", token: pass.authenticationToken, body });
      expect(response.status, JSON.stringify(sent).slice(0, 100)).toBe(status);
    }
    expect(await services.db.selectFrom("wallet_device").selectAll().execute()).toEqual([]);
  });

  test("a network that goes on guessing tokens", async () => {
    const { device, id, services, time } = await openUpdatedApp();
    const guess = () => device(1).send(`/passkit/v1/passes/${type}/${id}`, { token: "a-wrong-token-of-a-good-length" });
    for (let n = 0; n < 20; n++) expect((await guess()).status).toBe(401);
    await services.db.updateTable("attempt").set({ count: 299 }).where("count", "=", 20).execute();
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429]);
    time.now += 10 * 60_000;
    expect((await guess()).status).toBe(401);
  });

  test("a network that sends very many requests, before anything is looked up", async () => {
    const { device, pass, id, services, time } = await openUpdatedApp();
    const phone = device(1);
    const load = () => phone.send(`/passkit/v1/passes/${type}/${id}`, { token: pass.authenticationToken });
    const list = () => phone.send(`/passkit/v1/devices/${phone.id}/registrations/${type}`);
    expect([(await list()).status, (await load()).status]).toEqual([204, 200]);
    await services.db.updateTable("attempt").set({ count: 6_000 }).execute();
    const refused = [await list(), await load(), await phone.add(pass), await phone.remove(id)];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    time.now += 10 * 60_000;
    expect([(await list()).status, (await load()).status]).toEqual([204, 200]);
  });

  test("a device with 200 passes, and a pass on 50,000 devices", async () => {
    const { device, pass, services } = await openUpdatedApp();
    const phone = device(1);
    const fill = (count: number, deviceId: RawBuilder<unknown>, cardId: RawBuilder<unknown>) =>
      sql`insert into wallet_registration (device_id, card_id, created_at)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        select ${deviceId}, ${cardId}, 1 from n`.execute(services.db);
    await fill(200, sql`${phone.id}`, sql`'card-' || i`);
    expect((await phone.add(pass)).status).toBe(429);
    await fill(49_999, sql`'device-' || i`, sql`${pass.serialNumber}`);
    const last = device(2);
    expect((await last.add(pass)).status).toBe(201);
    expect((await device(3).add(pass)).status).toBe(429);
    const stored = () =>
      services.db.selectFrom("wallet_device").select("push_token").where("id", "=", last.id).execute();
    last.pushToken = "c".repeat(64);
    expect([(await last.add(pass)).status, await stored()]).toEqual([200, [{ push_token: last.pushToken }]]);
  });

  test("everything where passes aren't configured", async () => {
    const { visitor, signedIn } = await createTestApp();
    const id = await makeCard(await signedIn());
    const statuses = [];
    for (const path of [`devices/${"0".repeat(32)}/registrations/${type}`, `passes/${type}/${id}`])
      statuses.push((await visitor().get(`/passkit/v1/${path}`)).status);
    expect(statuses).toEqual([204, 401]);
  });
});

test("a device whose identifier no one registered has no changed passes", async () => {
  const { device, pass } = await openUpdatedApp();
  await device(1).add(pass);
  const path = (id: string) => `/passkit/v1/devices/${id}/registrations/${type}`;
  for (const id of [device(2).id, "short", "x".repeat(40), "..%2f"])
    expect((await device(2).send(path(id))).status).toBe(204);
  expect(await (await device(1).send(`${path(device(1).id)}?passesUpdatedSince=yesterday`)).json()).toEqual({
    serialNumbers: [pass.serialNumber],
    lastUpdated: expect.stringMatching(/^\d+$/),
  });
});

test("a registration that repeats the last one and a question for changes write nothing", async () => {
  const { device, pass, services, time } = await openUpdatedApp();
  const rows = async () => [
    await services.db.selectFrom("wallet_device").selectAll().execute(),
    await services.db.selectFrom("wallet_registration").selectAll().execute(),
  ];
  const phone = device(1);
  await phone.add(pass);
  const before = await rows();
  time.now += 60_000;
  expect((await phone.add(pass)).status).toBe(200);
  expect(await phone.receivePush()).toEqual([pass.serialNumber]);
  expect(await rows()).toEqual(before);
});

test("two changes within a second are two changes for a device", async () => {
  const { device, pass, rename, runJobs, id, services, time } = await openUpdatedApp();
  time.now = Math.ceil(time.now / 1_000) * 1_000 + 100;
  const phone = device(1);
  await phone.add(pass);
  await rename("First");
  await services.jobs.runDue();
  expect(await phone.load(id)).toBe(true);
  time.now += 200;
  await rename("Second");
  expect(await phone.load(id)).toBe(true);
  await runJobs();
  expect(await phone.load(id)).toBe(true);
  expect(await phone.load(id)).toBe(false);
});

test("a device that loaded a pass while a clock was wrong still gets the next change", async () => {
  const { device, pass, rename, runJobs, id, time } = await openUpdatedApp();
  const phone = device(1);
  await phone.add(pass);
  const right = time.now;
  time.now += 3_600_000;
  await rename("First");
  await runJobs();
  expect(await phone.receivePush()).toEqual([id]);
  time.now = right + 60_000;
  await rename("Second");
  await runJobs();
  expect(await phone.receivePush()).toEqual([id]);
  expect(readPassJson(phone.fileOf(id) ?? new Uint8Array()).description).toContain("Second");
});

test("what devices log is stored without tokens, addresses and control characters", async () => {
  const { device, logLines } = await openUpdatedApp();
  const message = `Bad response\n\u001b[31m for ada@example.com, token ${"0123456789abcdef".repeat(3)} ${"long ".repeat(100)}`;
  const send = (body: unknown) => device(1).send("/passkit/v1/log", { method: "POST", body });
  expect((await send({ logs: [message, ...Array<string>(50).fill("again")] })).status).toBe(200);
  const logged = logLines.filter(({ msg }) => msg === "a device reported a problem with a pass");
  expect(logged).toHaveLength(1);
  const text = JSON.stringify(logged);
  expect(text).not.toMatch(/ada@|0123456789abcdef|\\u001b|\\n/);
  const messages = logged[0]?.["messages"] as string[] | undefined;
  expect(messages).toHaveLength(10);
  expect(messages?.filter(({ length }) => length > 200)).toEqual([]);
  expect((await send({ logs: "x" })).status).toBe(400);
  expect((await send({ logs: ["x".repeat(30_000)] })).status).toBe(413);
});

test("the log has no device identifier, which is a device's secret", async () => {
  const { device, pass, logLines, id } = await openUpdatedApp();
  const phone = device(7);
  await phone.add(pass);
  await phone.receivePush();
  const text = JSON.stringify(logLines);
  for (const secret of [phone.id, phone.pushToken, pass.authenticationToken]) expect(text).not.toContain(secret);
  expect(text).toContain(`/passkit/v1/devices/…/registrations/${type}/${id}`);
});

const minute = 60_000;

test("tokens that Apple rejects are removed, unless their device has registered again since", async () => {
  const { phones, push, notify, services, time } = await openWithDevices(4);
  const timestamp = time.now;
  const refusals = new Map([
    [phones[0]?.pushToken, { status: 410, reason: "Unregistered", timestamp }],
    [phones[1]?.pushToken, { status: 400, reason: "BadDeviceToken" }],
    [phones[2]?.pushToken, { status: 410, reason: "Unregistered", timestamp: timestamp - 90 * minute }],
  ]);
  push.state.refuse = (token) => refusals.get(token);
  await notify();
  const rows = await services.db.selectFrom("wallet_registration").select("device_id").orderBy("device_id").execute();
  expect(rows.map(({ device_id }) => device_id)).toEqual([phones[2]?.id, phones[3]?.id]);
  expect(push.tokens()).toEqual([phones[3]?.pushToken]);
});

test.each([
  ["429 for one device", { status: 429, reason: "TooManyRequests", headers: { "retry-after": "30" } }, 30_000],
  ["503 with a time", { status: 503, reason: "ServiceUnavailable", headers: { "retry-after": "120" } }, 120_000],
  ["503", { status: 503, reason: "Shutdown" }, 15_000],
])("%s: the device is notified later, and no other twice", async (_, refusal, waitMs) => {
  const { phones, first, push, notify, runJobs } = await openWithDevices(3);
  push.state.refuse = (token) => (token === first.pushToken ? refusal : undefined);
  await notify();
  expect(push.tokens()).toHaveLength(2);
  push.state.refuse = () => undefined;
  await runJobs(waitMs - 1_000);
  expect(push.tokens()).toHaveLength(2);
  await runJobs(1_000);
  expect(push.tokens().toSorted()).toEqual(phones.map(({ pushToken }) => pushToken));
});

test.each([
  ["takes no more pushes for", { status: 429, reason: "TooManyRequests", headers: { "retry-after": "3600" } }, true],
  ["refuses for a reason of its own", { status: 400, reason: "BadMessageId" }, false],
])("a device that Apple %s doesn't delay changes on others", async (_, refusal, isTriedAgain) => {
  const { phones, first, push, notify, rename, runJobs, status } = await openWithDevices(2);
  const other = phones[1]?.pushToken;
  push.state.refuse = (token) => (token === first.pushToken ? refusal : undefined);
  await notify();
  expect(await status()).toMatchObject({ push_error: "" });
  await rename("Ada");
  await runJobs();
  expect(push.tokens()).toEqual([other, other]);
  push.state.refuse = () => undefined;
  await runJobs(60 * minute);
  expect(push.tokens()).toEqual([other, other, ...(isTriedAgain ? [first.pushToken] : [])]);
});
