import { expect, test } from "vitest";

import { openUpdatedApp } from "#tests/support/fixtures/wallet/updated-app.ts";

const minute = 60_000;

test("tokens that Apple rejects are removed, unless their device has registered again since", async () => {
  const { device, pass, push, rename, runJobs, services, time } = await openUpdatedApp();
  const [gone, bad, renewed, good] = [device(1), device(2), device(3), device(4)];
  for (const phone of [gone, bad, renewed, good]) await phone.add(pass);
  await runJobs();
  push.state.refuse = (token) => {
    if (token === gone.pushToken) return { status: 410, reason: "Unregistered", timestamp: time.now };
    if (token === bad.pushToken) return { status: 400, reason: "BadDeviceToken" };
    return token === renewed.pushToken
      ? { status: 410, reason: "Unregistered", timestamp: time.now - 90 * minute }
      : undefined;
  };
  await rename("Countess");
  await runJobs();
  const rows = await services.db.selectFrom("wallet_registration").select("device_id").orderBy("device_id").execute();
  expect(rows.map(({ device_id }) => device_id)).toEqual([renewed.id, good.id]);
  expect(push.tokens()).toEqual([good.pushToken]);
});

test.each([
  ["429 for one device", { status: 429, reason: "TooManyRequests", headers: { "retry-after": "30" } }, 30_000],
  ["503 with a time", { status: 503, reason: "ServiceUnavailable", headers: { "retry-after": "120" } }, 120_000],
  ["503", { status: 503, reason: "Shutdown" }, 15_000],
])("%s: the device is told later, and no other twice", async (_, refusal, waitMs) => {
  const { device, pass, push, rename, runJobs } = await openUpdatedApp();
  const phones = [device(1), device(2), device(3)];
  for (const phone of phones) await phone.add(pass);
  await runJobs();
  const [, second] = phones;
  push.state.refuse = (token) => (token === second?.pushToken ? refusal : undefined);
  await rename("Countess");
  await runJobs();
  expect(push.tokens()).toHaveLength(2);
  push.state.refuse = () => undefined;
  await runJobs(waitMs - 1_000);
  expect(push.tokens()).toHaveLength(2);
  await runJobs(1_000);
  expect(push.tokens().toSorted()).toEqual(phones.map(({ pushToken }) => pushToken));
});

test("a device that Apple takes no more pushes for doesn't delay later changes on others", async () => {
  const { device, pass, push, rename, runJobs, status } = await openUpdatedApp();
  const [busy, other] = [device(1), device(2)];
  for (const phone of [busy, other]) await phone.add(pass);
  await runJobs();
  const refusal = { status: 429, reason: "TooManyRequests", headers: { "retry-after": "3600" } };
  push.state.refuse = (token) => (token === busy.pushToken ? refusal : undefined);
  await rename("Countess");
  await runJobs();
  expect(await status()).toMatchObject({ update_due_at: null, push_error: "" });
  await rename("Ada");
  await runJobs();
  expect(push.tokens()).toEqual([other.pushToken, other.pushToken]);
  push.state.refuse = () => undefined;
  await runJobs(60 * minute);
  expect(push.tokens()).toEqual([other.pushToken, other.pushToken, busy.pushToken]);
});

test("a device whose push Apple refuses for a reason of its own doesn't stop the others", async () => {
  const { device, pass, push, rename, runJobs, status } = await openUpdatedApp();
  const phones = [device(1), device(2)];
  for (const phone of phones) await phone.add(pass);
  await runJobs();
  push.state.refuse = (token) => (token === phones[0]?.pushToken ? { status: 400, reason: "BadMessageId" } : undefined);
  await rename("Countess");
  await runJobs();
  await runJobs(60 * minute);
  expect(push.tokens()).toEqual([phones[1]?.pushToken]);
  expect(await status()).toMatchObject({ update_due_at: null, push_error: "" });
});
