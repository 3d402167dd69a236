import { expect, test } from "vitest";

import {
  adaCredentials,
  cookieHeaders,
  advanceClock,
  countUsers,
  makeAccount,
  openAuth,
  readAccountTables,
  tokenOf,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { deleteUnconfirmedUsers, findAddressOwner } from "./user-rows.server.ts";

const week = 7 * 24;
const deleteOlderThanAWeek = (opened: Parameters<typeof deleteUnconfirmedUsers>[0]) =>
  deleteUnconfirmedUsers(opened, Date.now() - week * 3_600_000);

describeOnEachDatabase("an unconfirmed account", (makeDb, engine) => {
  test("is deleted completely a week after the sign-up, not before", async () => {
    const { auth, db } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    advanceClock({ hours: week - 1 });
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(0);
    advanceClock({ hours: 2 });
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(1);
    await auth.sweep();
    expect(await readAccountTables(db)).toEqual({ user: [], account: [], session: [], verification: [] });
  });

  test("is kept for a week after the last of several sign-ups, so that its link works", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    advanceClock({ hours: week - 1 });
    const headers = cookieHeaders(await auth.signUp(adaCredentials));
    advanceClock({ hours: 2 });
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(0);
    expect(await auth.confirm({ headers, token: tokenOf(mails[1]), viewer: undefined })).toMatchObject({
      kind: "signed-in",
    });
  });

  test("leaves no plan that an operator gave it", async () => {
    const { auth, db } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    const plan = { owner_id: (await auth.findUserId(adaCredentials.email)) ?? "", plan: "premium", ends_at: null };
    await db.insertInto("subscription").values(plan).execute();
    await db
      .insertInto("plan_grant")
      .values({ ...plan, reason: "", granted_by: "", created_at: 1 })
      .execute();
    advanceClock({ hours: week + 1 });
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(1);
    for (const table of ["plan_grant", "subscription"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("stays while it is blocked, and no one replaces it", async () => {
    const { auth, db } = await openAuth(makeDb, engine);
    await auth.signUp(adaCredentials);
    const owner_id = (await auth.findUserId(adaCredentials.email)) ?? "";
    const find = () => findAddressOwner(db, adaCredentials.email);
    expect(await find()).toMatchObject({ isUnused: true, isReplaceable: true });
    await db.insertInto("account_block").values({ owner_id, reason: "spam", created_at: 1 }).execute();
    expect(await find()).toMatchObject({ isUnused: true, isReplaceable: false });
    advanceClock({ hours: week + 1 });
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(0);
    await db.deleteFrom("account_block").execute();
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(1);
  });

  test("is kept when it has a session or a profile", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const { viewer } = await auth.findViewer(await makeAccount(auth, mails));
    await db
      .updateTable("user" as never)
      .set({ emailVerified: engine === "sqlite" ? 0 : false } as never)
      .execute();
    advanceClock({ hours: week + 1 });
    // The session ends a week after the last visit. From then on the profile protects the account.
    await auth.sweep();
    const profile = { owner_id: viewer?.id ?? "", display_name: "Ada", bio: "", created_at: 0, updated_at: 0 };
    await db.insertInto("profile").values(profile).execute();
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(0);
    expect(await countUsers(db)).toBe(1);
  });
});

describeOnEachDatabase("a confirmed account", (makeDb, engine) => {
  test("is never deleted, even if it wasn't used for a year", async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    advanceClock({ hours: 365 * 24 });
    await auth.sweep();
    expect(await deleteOlderThanAWeek({ db, engine })).toBe(0);
    expect(await countUsers(db)).toBe(1);
  });
});
