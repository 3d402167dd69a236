import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  makeAccount,
  openAuth,
  tokenOf,
  noCookies,
} from "#tests/support/app/auth.ts";
import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { findSignUpDraft, maxDraftLength } from "./sign-up-drafts.server.ts";
import { deleteUnconfirmedUsers, deleteUser } from "#app/services/auth/user-rows.server.ts";

describeOnEachDatabase("the draft of a sign-up", (makeDb, engine) => {
  const open = async () => {
    const { auth, mails, db } = await openAuth(makeDb, engine);
    const stored = async () =>
      (await db.selectFrom("sign_up_draft").select("content").orderBy("content").execute()).map((row) => row.content);
    const confirm = async (index: number) => {
      const link = { headers: noCookies, token: tokenOf(mails[index]), viewer: undefined };
      const opened = await auth.confirm({ ...link, password: adaCredentials.password });
      return (await auth.findViewer(cookieHeaders(opened))).viewer?.id ?? "";
    };
    return { auth, mails, db, stored, confirm };
  };

  test("belongs to the account once the link of the same sign-up confirmed it", async () => {
    const { auth, db, confirm } = await open();
    await auth.signUp({ ...adaCredentials, draft: "a card" });
    const userId = (await auth.findUserId(adaCredentials.email)) ?? "";
    expect(await findSignUpDraft(db, userId)).toBeUndefined();
    expect(await confirm(0)).toBe(userId);
    expect(await findSignUpDraft(db, userId)).toBe("a card");
  });

  test("of a stranger with the same address is deleted when the owner confirms their own sign-up", async () => {
    const { auth, db, stored, confirm } = await open();
    await auth.signUp({ ...adaCredentials, draft: "a stranger's" });
    await auth.signUp({ ...adaCredentials, draft: "Ada's" });
    await auth.signUp({ ...adaCredentials, draft: "another stranger's" });
    const userId = await confirm(1);
    expect(await stored()).toEqual(["Ada's"]);
    expect(await findSignUpDraft(db, userId)).toBe("Ada's");
  });

  test("is never given to an account that is in use", async () => {
    const { auth, mails, db, stored } = await open();
    await makeAccount(auth, mails);
    await auth.signUp({ ...adaCredentials, draft: "a stranger's" });
    expect(await stored()).toEqual([]);

    // In use since the sign-up, but not confirmed: for example with a provider.
    const eve = { ...adaCredentials, email: "eve@example.com" };
    mails.length = 0;
    await auth.signUp({ ...eve, draft: "a stranger's" });
    const owner_id = (await auth.findUserId(eve.email)) ?? "";
    await db
      .insertInto("profile")
      .values({ owner_id, display_name: "Eve", bio: "", created_at: 0, updated_at: 0 })
      .execute();
    await auth.signUp({ ...eve, draft: "another" });
    await auth.confirm({ headers: noCookies, token: tokenOf(mails[0]), viewer: undefined });
    expect(await stored()).toEqual([]);
  });

  test("is limited in size, and stored without one by a sign-up that has none", async () => {
    const { auth, stored } = await open();
    await auth.signUp({ ...adaCredentials, draft: "x".repeat(maxDraftLength + 1) });
    await auth.signUp(adaCredentials);
    expect(await stored()).toEqual([]);
  });

  test("is deleted with the account, confirmed or not, and two weeks later in any case", async () => {
    const { auth, db, stored, confirm } = await open();
    await auth.signUp({ ...adaCredentials, draft: "Ada's" });
    advanceClock({ hours: 7 * 24 + 1 });
    await deleteUnconfirmedUsers({ db, engine }, Date.now() - 7 * 24 * 3_600_000);
    expect(await stored()).toEqual([]);

    await auth.signUp({ ...adaCredentials, draft: "Ada's" });
    const userId = await confirm(1);
    await transact(db, (trx) => deleteUser(trx, userId));
    expect(await stored()).toEqual([]);

    await auth.signUp({ ...adaCredentials, draft: "Ada's" });
    const other = await confirm(2);
    advanceClock({ hours: 14 * 24 + 1 });
    expect(await findSignUpDraft(db, other)).toBeUndefined();
    await auth.sweep();
    expect(await stored()).toEqual([]);
  });
});
