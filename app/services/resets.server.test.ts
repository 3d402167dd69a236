import { expect, test } from "vitest";

import { ada, makeAccount, nobody, openAuth, tokenOf, wait } from "#tests/support/accounts.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

describeOnEachDatabase("a new password", (makeDb, engine) => {
  test("is set through the link once, ends all sessions and all other links", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const session = await makeAccount(auth, mails);
    await auth.requestReset(ada.email);
    await auth.requestReset(ada.email);
    const [first, second] = mails.map(tokenOf);
    expect(await auth.findReset(first ?? "")).toEqual({ email: ada.email });
    expect(await auth.resetPassword({ token: first ?? "", password: "another long word" })).toBe(true);
    expect((await auth.findViewer(session)).viewer).toBeUndefined();
    expect(await auth.signIn({ ...ada, headers: nobody })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...ada, password: "another long word", headers: nobody })).toMatchObject({
      kind: "signed-in",
    });
    for (const token of [first, second]) {
      expect(await auth.findReset(token ?? "")).toBeUndefined();
      expect(await auth.resetPassword({ token: token ?? "", password: "a third long word" })).toBe(false);
    }
  });

  test("is set by one of two at the same moment", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(ada.email);
    const token = tokenOf(mails[0]);
    const done = await Promise.all(
      ["one long word", "two long words"].map((password) => auth.resetPassword({ token, password })),
    );
    expect(done.toSorted()).toEqual([false, true]);
  });

  test("can't be set after an hour, or with any other text", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(ada.email);
    expect(mails).toMatchObject([{ kind: "reset", to: ada.email, validHours: 1 }]);
    wait({ hours: 1.1 });
    for (const token of [tokenOf(mails[0]), "", "x", "\0", "\0".repeat(32), "reset-password"]) {
      expect(await auth.findReset(token)).toBeUndefined();
      expect(await auth.resetPassword({ token, password: "another long word" })).toBe(false);
    }
  });

  test("sends nothing to an address without an account", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.requestReset("nobody@example.com");
    expect(mails).toEqual([]);
  });

  test("confirms the address too: the link came from its mail box", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.signUp({ ...ada, password: "a stranger's word" });
    await auth.requestReset(ada.email);
    await auth.resetPassword({ token: tokenOf(mails[1]), password: ada.password });
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
    expect(await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined })).toEqual({ kind: "used" });
    expect(await auth.signIn({ ...ada, password: "a stranger's word", headers: nobody })).toEqual({ kind: "refused" });
  });
});
