import { expect, test } from "vitest";

import { adaCredentials, makeAccount, noCookies, openAuth, tokenOf, advanceClock } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("a password reset", (makeDb, engine) => {
  test("works once per link, and ends all sessions and other links", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const session = await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    await auth.requestReset(adaCredentials.email);
    const [first, second] = mails.map(tokenOf);
    expect(await auth.findReset(first ?? "")).toEqual({ email: adaCredentials.email });
    expect(await auth.resetPassword({ token: first ?? "", password: "another long word" })).toBe(true);
    expect((await auth.findViewer(session)).viewer).toBeUndefined();
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...adaCredentials, password: "another long word", headers: noCookies })).toMatchObject({
      kind: "signed-in",
    });
    for (const token of [first, second]) {
      expect(await auth.findReset(token ?? "")).toBeUndefined();
      expect(await auth.resetPassword({ token: token ?? "", password: "a third long word" })).toBe(false);
    }
  });

  test("works for one of two concurrent requests", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    const token = tokenOf(mails[0]);
    const done = await Promise.all(
      ["one long word", "two long words"].map((password) => auth.resetPassword({ token, password })),
    );
    expect(done.toSorted()).toEqual([false, true]);
  });

  test("is rejected after an hour and for any other token", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    expect(mails).toMatchObject([{ kind: "reset", to: adaCredentials.email, validHours: 1 }]);
    advanceClock({ hours: 1.1 });
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

  test("also confirms the address, because the link came from its mailbox", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await auth.signUp({ ...adaCredentials, password: "a stranger's word" });
    await auth.requestReset(adaCredentials.email);
    await auth.resetPassword({ token: tokenOf(mails[1]), password: adaCredentials.password });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    expect(await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined })).toEqual({ kind: "used" });
    expect(await auth.signIn({ ...adaCredentials, password: "a stranger's word", headers: noCookies })).toEqual({
      kind: "refused",
    });
  });
});
