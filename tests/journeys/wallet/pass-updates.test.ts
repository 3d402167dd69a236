import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { deleteCard } from "#app/features/cards/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { makePremium, profileForm } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { callFunction } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { openUpdatedApp, openWithDevices, readPassJson } from "#tests/support/fixtures/wallet/updated-app.ts";

const minute = 60_000;

test("a device that has a pass gets each change of it, until it removes the pass", async () => {
  const { device, pass, push, rename, runJobs, id, time } = await openUpdatedApp();
  const phone = device(1);
  expect((await phone.add(pass)).status).toBe(201);
  expect((await phone.add(pass)).status).toBe(200);
  await runJobs();
  expect(push.tokens()).toEqual([]);
  expect(await phone.receivePush()).toEqual([id]);

  await rename("Countess Lovelace");
  await runJobs();
  expect(push.tokens()).toEqual([phone.pushToken]);
  expect(await phone.receivePush()).toEqual([id]);
  expect(readPassJson(phone.fileOf(id) ?? new Uint8Array())).toMatchObject({
    description: "Business card of Countess Lovelace",
    authenticationToken: pass.authenticationToken,
  });
  expect(await phone.receivePush()).toEqual([]);
  // Of a pass that changed in this second, a device loads another copy.
  await phone.load(id);
  time.now += 1_000;
  await phone.load(id);
  expect(await phone.load(id)).toBe(false);
  expect(phone.log.slice(0, 7).join()).toBe("POST 201,POST 200,GET 200,GET 200,GET 200,GET 200,GET 204");
  expect(phone.log.at(-1)).toBe("GET 304");

  expect((await phone.remove(id)).status).toBe(200);
  await rename("Ada");
  await runJobs();
  expect(push.tokens()).toHaveLength(1);
});

test("several saves within five seconds make one push, one that shows the same none, and an old file that is added one", async () => {
  const { device, pass, push, rename, runJobs, services, time, ada, id } = await openUpdatedApp();
  const phone = device(1);
  await phone.add(pass);
  await runJobs();
  for (const name of ["A", "B", "C"]) {
    await rename(name);
    await services.jobs.runDue();
    time.now += 1_000;
  }
  await runJobs();
  expect(push.tokens()).toEqual([phone.pushToken]);
  await phone.receivePush();
  // Only the profile page shows it.
  await ada.post("/profile", profileForm({ displayName: "C", version: "4", showBusinessCard: "" }));
  await runJobs();
  expect([push.tokens().length, await phone.receivePush()]).toEqual([1, []]);

  const late = device(2);
  await late.add(pass);
  await runJobs();
  expect(push.tokens()).toEqual([phone.pushToken, late.pushToken]);
  expect(await late.receivePush()).toEqual([id]);
});

test("a plan that ends by itself changes the pass at that time, and tells its devices once", async () => {
  const app = await openUpdatedApp();
  const { services, device, pass, push, runJobs, id, time } = app;
  await makePremium(services, app.ownerId, time.now + 30 * minute);
  const phone = device(1);
  await phone.add(pass);
  await runJobs();
  await phone.receivePush();
  const before = push.tokens().length;
  await runJobs(29 * minute);
  expect(push.tokens()).toHaveLength(before);
  time.now += 2 * minute;
  await runJobs();
  expect(push.tokens()).toHaveLength(before + 1);
  expect(await phone.receivePush()).toEqual([id]);
});

test("a pass is void while visitors can't open its card, and comes back with it", async () => {
  const { device, pass, runJobs, id, ada, services, ownerId, push } = await openUpdatedApp();
  const phone = device(1);
  await phone.add(pass);
  await runJobs();
  const shown = async () => {
    await runJobs(6_000);
    await phone.receivePush();
    const { voided = false, description } = readPassJson(phone.fileOf(id) ?? new Uint8Array());
    return [voided, description.includes("Lovelace")];
  };
  await ada.post("/profile", profileForm());
  expect(await shown()).toEqual([false, true]);
  await ada.post(`/cards/${id}/pause`, {});
  expect(await shown()).toEqual([true, false]);
  await ada.post(`/cards/${id}/pause`, { pause: "off" });
  expect(await shown()).toEqual([false, true]);
  const block = (kind: "account.blocked" | "account.unblocked") =>
    transact(services.db, async (trx) => {
      if (kind === "account.blocked")
        await trx.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
      else await trx.deleteFrom("account_block").execute();
      await services.events.record(trx, { kind, ownerId });
    });
  await block("account.blocked");
  expect(await shown()).toEqual([true, false]);
  await block("account.unblocked");
  expect(await shown()).toEqual([false, true]);
  await deleteCard(services, { ownerId, id });
  expect(await shown()).toEqual([true, false]);
  expect(push.tokens()).toHaveLength(6);
});

test("60 devices are notified of a change once each, even when the connection ends in the middle, and load it", async () => {
  const { phones, push, notify, id, status } = await openWithDevices(60);
  push.state.goAwayAfter = 25;
  await notify();
  expect(push.tokens().toSorted()).toEqual(phones.map(({ pushToken }) => pushToken).toSorted());
  const loaded = await Promise.all(phones.map((phone) => phone.receivePush()));
  expect(loaded.filter((ids) => ids.join() !== id)).toEqual([]);
  expect(await status()).toMatchObject({ push_error: "" });
});

test("all devices get their push over one connection, and 1,000 may register in an hour", async () => {
  const { push, notify, device, pass, services } = await openWithDevices(20);
  await notify();
  expect([push.tokens().length, push.state.connections]).toEqual([20, 1]);
  await services.db.updateTable("attempt").set({ count: 999 }).where("count", "=", 20).execute();
  expect((await device(1_000).add(pass)).status).toBe(201);
  expect((await device(1_001).add(pass)).status).toBe(429);
});

test("while Apple can't be reached for a day, the update waits, and is then delivered once", async () => {
  const { phones, push, notify, rename, runJobs, status, time } = await openWithDevices(2);
  await push.goDown();
  await notify();
  expect(await status()).toMatchObject({ push_error: expect.stringContaining("can’t be reached"), pushed_at: null });
  for (let hour = 0; hour < 24; hour++) await runJobs(60 * minute);
  await rename("Ada");
  await push.goUp();
  const before = time.now;
  await runJobs(15 * minute);
  expect(push.tokens().toSorted()).toEqual(phones.map(({ pushToken }) => pushToken));
  expect(await status()).toMatchObject({ push_error: "", pushed_at: before + 15 * minute });
  await runJobs(60 * minute);
  expect(push.tokens()).toHaveLength(2);
});

test("the owner sees who has the pass, the last update, and why one isn't delivered", async () => {
  const { device, pass, push, rename, runJobs, ada, id } = await openUpdatedApp();
  const read = async (path: string) => visibleText(await (await ada.get(path)).text()).replaceAll("&#x27;", "'");
  const page = () => read(`/cards/${id}/pass`);
  expect(await page()).toContain("No device has this pass yet.");
  await device(1).add(pass);
  await runJobs();
  expect(await page()).toMatch(/1 device has this pass\..*Nothing has changed on it since it was added\./);
  await device(2).add(pass);
  await rename("Countess");
  await runJobs();
  const updated = /2 devices have this pass\..*Last update delivered on \w+ \d+, \d{4} at \d\d:\d\d UTC\./;
  expect(await page()).toMatch(updated);
  await push.goDown();
  await rename("Ada");
  await runJobs();
  expect(await page()).toMatch(/on its way to 2 devices.*Apple’s push service can’t be reached\. We keep trying\./);
  await push.goUp();
  await runJobs(60_000);
  expect(await page()).not.toContain("on its way");
});

test.each(["card", "account"])("%s deleted during the push: every device ends with a void pass", async (what) => {
  const { phones, push, notify, runJobs, services, ownerId, id, device, pass } = await openWithDevices(20);
  let isDeleted = false;
  push.state.before = async () => {
    if (isDeleted) return;
    isDeleted = true;
    if (what === "card") await deleteCard(services, { ownerId, id });
    else await deleteAccount(services, { ownerId, feedback: "" });
  };
  await notify();
  await runJobs();
  const late = device(30);
  await late.add(pass);
  await runJobs();
  expect(push.tokens().at(-1)).toBe(late.pushToken);
  for (const phone of [...phones, late]) {
    expect(await phone.receivePush()).toEqual([id]);
    expect(readPassJson(phone.fileOf(id) ?? new Uint8Array()).voided).toBe(true);
  }
});

test("a device with two passes of an account gets one push for both", async () => {
  const { device, pass, push, rename, runJobs, services, ownerId } = await openUpdatedApp();
  const phone = device(1);
  await phone.add(pass);
  const second = await services.db.selectFrom("wallet_pass").selectAll().executeTakeFirstOrThrow();
  await insertRows(services, { wallet_pass: { ...second, card_id: "other", owner_id: ownerId } });
  await phone.add({ serialNumber: "other", authenticationToken: pass.authenticationToken });
  await runJobs();
  push.state.received.length = 0;
  await rename("Countess");
  await runJobs();
  expect(push.tokens()).toEqual([phone.pushToken]);
});

test("two processes push once", async () => {
  const { phones, push, rename, services, time } = await openWithDevices(1);
  await rename("Countess");
  await services.jobs.runDue();
  time.now += 5_000;
  await Promise.all([services.jobs.runDue(), services.jobs.runDue(), services.jobs.runDue()]);
  expect(push.tokens()).toEqual([phones[0]?.pushToken]);
});

test("push-pass-update updates the owner's pass, and no one else's", async () => {
  const { phones, push, runJobs, services, ada, id, signedUp, ownerId } = await openWithDevices(1);
  await services.db.updateTable("profile").set({ display_name: "Countess" }).where("owner_id", "=", ownerId).execute();
  const call = (person: Visitor, input: object) =>
    callFunction(person, "push-pass-update", { headers: { origin: "https://localhost:3000" }, input });
  const input = { cardId: id, changedFields: ["pass_background_url"] };
  expect(await call(ada, input)).toMatchObject({ status: 200, body: { success: true, devices: 1 } });
  await runJobs();
  expect(push.tokens()).toEqual([phones[0]?.pushToken]);
  const details = "This business card doesn't exist or is not public.";
  const refused = { status: 404, body: { error: "Card not found", details } };
  expect(await call(await signedUp("eve@example.com"), input)).toMatchObject(refused);
  for (const wrong of [{}, { cardId: 1 }, { cardId: id, changedFields: "name" }])
    expect((await call(ada, wrong)).status).toBe(400);
});
