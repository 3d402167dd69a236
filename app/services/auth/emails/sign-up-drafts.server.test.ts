import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, noCookies, openAuth, tokenOf } from "#tests/support/app/auth.ts";
import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";

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
    const signUp = (draft?: string, email = adaCredentials.email) => auth.signUp({ ...adaCredentials, email, draft });
    return { auth, db, stored, confirm, signUp };
  };

  test("belongs to the account once the link of the same sign-up confirmed it, and a stranger's is deleted", async () => {
    const { auth, db, stored, confirm, signUp } = await open();
    for (const draft of ["a stranger's", "Ada's", "another stranger's"]) await signUp(draft);
    const userId = (await auth.findUserId(adaCredentials.email)) ?? "";
    expect(await findSignUpDraft(db, userId)).toBeUndefined();
    expect(await confirm(1)).toBe(userId);
    expect(await stored()).toEqual(["Ada's"]);
    expect(await findSignUpDraft(db, userId)).toBe("Ada's");
  });

  test("is never given to an account that is in use", async () => {
    const { auth, db, stored, confirm, signUp } = await open();
    await signUp();
    await confirm(0);
    await signUp("a stranger's");
    expect(await stored()).toEqual([]);

    // In use since the sign-up, but not confirmed: for example with a provider.
    const eve = "eve@example.com";
    await signUp("a stranger's", eve);
    await insertProfile(db, await auth.findUserId(eve));
    await signUp("another", eve);
    await confirm(2);
    expect(await stored()).toEqual([]);
  });

  test("is limited in size, and stored without one by a sign-up that has none", async () => {
    const { stored, signUp } = await open();
    await signUp("x".repeat(maxDraftLength + 1));
    await signUp();
    expect(await stored()).toEqual([]);
  });

  test("is deleted with the account, confirmed or not, and two weeks later in any case", async () => {
    const { auth, db, stored, confirm, signUp } = await open();
    await signUp("Ada's");
    advanceClock({ hours: 7 * 24 + 1 });
    await deleteUnconfirmedUsers({ db, engine }, Date.now() - 7 * 24 * 3_600_000);
    expect(await stored()).toEqual([]);

    await signUp("Ada's");
    const userId = await confirm(1);
    await transact(db, (trx) => deleteUser(trx, userId));
    expect(await stored()).toEqual([]);

    await signUp("Ada's");
    const other = await confirm(2);
    advanceClock({ hours: 14 * 24 + 1 });
    expect(await findSignUpDraft(db, other)).toBeUndefined();
    await auth.sweep();
    expect(await stored()).toEqual([]);
  });
});
