import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

import { deleteUnconfirmedUsers, findAddressOwner } from "./user-rows.server.ts";

const week = 7 * 24;

describeOnEachDatabase("an unconfirmed account", (makeDb, engine) => {
  async function open() {
    const opened = await openAuth(makeDb, engine);
    const headers = cookieHeaders(await opened.auth.signUp(adaCredentials));
    const userId = (await opened.auth.findUserId(adaCredentials.email)) ?? "";
    return { ...opened, headers, userId, deleteOld: () => deleteOlderThanAWeek(opened) };
  }
  const deleteOlderThanAWeek = ({ db }: Pick<Awaited<ReturnType<typeof openAuth>>, "db">) =>
    deleteUnconfirmedUsers({ db, engine }, Date.now() - week * 3_600_000);

  test("is deleted completely a week after the sign-up, not before, with the plan that an operator gave it", async () => {
    const { auth, db, readTables, userId, deleteOld } = await open();
    const plan = { owner_id: userId, plan: "premium", ends_at: null };
    await db.insertInto("subscription").values(plan).execute();
    const grant = { ...plan, reason: "", granted_by: "", created_at: 1 };
    await db.insertInto("plan_grant").values(grant).execute();
    advanceClock({ hours: week - 1 });
    expect(await deleteOld()).toBe(0);
    advanceClock({ hours: 2 });
    expect(await deleteOld()).toBe(1);
    await auth.sweep();
    expect(await readTables()).toEqual({ user: [], account: [], session: [], verification: [] });
    for (const table of ["plan_grant", "subscription"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("is kept for a week after the last of several sign-ups, so that its link works", async () => {
    const { auth, lastToken, deleteOld } = await open();
    advanceClock({ hours: week - 1 });
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    advanceClock({ hours: 2 });
    expect(await deleteOld()).toBe(0);
    const link = { headers, token: lastToken(), viewer: undefined };
    expect(await auth.confirm(link)).toMatchObject({ kind: "signed-in" });
  });

  test("stays while it is blocked, and no one replaces it", async () => {
    const { db, userId, deleteOld } = await open();
    const find = () => findAddressOwner(db, adaCredentials.email);
    expect(await find()).toMatchObject({ isUnused: true, isReplaceable: true });
    await db.insertInto("account_block").values({ owner_id: userId, reason: "spam", created_at: 1 }).execute();
    expect(await find()).toMatchObject({ isUnused: true, isReplaceable: false });
    advanceClock({ hours: week + 1 });
    expect(await deleteOld()).toBe(0);
    await db.deleteFrom("account_block").execute();
    expect(await deleteOld()).toBe(1);
  });

  test("is kept when it has a profile, and a confirmed one even if it wasn't used for a year", async () => {
    const opened = await openAccount(makeDb, engine);
    const { auth, db, markUnconfirmed, userId } = opened;
    advanceClock({ hours: 365 * 24 });
    // The session ends a week after the last visit.
    await auth.sweep();
    expect(await deleteOlderThanAWeek(opened)).toBe(0);
    await markUnconfirmed();
    await insertProfile(db, userId);
    expect(await deleteOlderThanAWeek(opened)).toBe(0);
    await db.deleteFrom("profile").execute();
    expect(await deleteOlderThanAWeek(opened)).toBe(1);
  });
});
