import { expect, test } from "vitest";

import { openUpdatedApp } from "#tests/support/fixtures/wallet/updated-app.ts";

const minute = 60_000;

/** An installation whose pass is on so many devices. */
async function openWithDevices(count: number) {
  const app = await openUpdatedApp();
  const phones = Array.from({ length: count }, (_, n) => app.device(n + 1));
  for (const phone of phones) await phone.add(app.pass);
  await app.runJobs();
  const [first = app.device(0)] = phones;
  const notify = async () => {
    await app.rename("Countess");
    await app.runJobs();
  };
  return { ...app, phones, first, notify };
}

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
])("%s: the device is told later, and no other twice", async (_, refusal, waitMs) => {
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
  expect(await status()).toMatchObject({ update_due_at: null, push_error: "" });
  await rename("Ada");
  await runJobs();
  expect(push.tokens()).toEqual([other, other]);
  push.state.refuse = () => undefined;
  await runJobs(60 * minute);
  expect(push.tokens()).toEqual([other, other, ...(isTriedAgain ? [first.pushToken] : [])]);
});
