import type { KyselyPlugin, QueryId } from "kysely";
import { expect, test } from "vitest";

import {
  adaCredentials,
  advanceClock,
  cookieHeaders,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("a password reset", (makeDb, engine) => {
  test("works once per link, and ends all sessions and other links", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    const session = await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    await auth.requestReset(adaCredentials.email);
    const [first, second] = mails.map(tokenOf);
    expect(await auth.findReset(first ?? "")).toEqual({ email: adaCredentials.email });
    expect(await auth.resetPassword({ headers: noCookies, token: first ?? "", password: "another long word" })).toBe(
      true,
    );
    expect((await auth.findViewer(session)).viewer).toBeUndefined();
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toEqual({ kind: "refused" });
    expect(await auth.signIn({ ...adaCredentials, password: "another long word", headers: noCookies })).toMatchObject({
      kind: "signed-in",
    });
    for (const token of [first, second]) {
      expect(await auth.findReset(token ?? "")).toBeUndefined();
      expect(await auth.resetPassword({ headers: noCookies, token: token ?? "", password: "a third long word" })).toBe(
        false,
      );
    }
  });

  test("works for one of two concurrent requests", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    const token = tokenOf(mails[0]);
    const done = await Promise.all(
      ["one long word", "two long words"].map((password) =>
        auth.resetPassword({ headers: noCookies, token, password }),
      ),
    );
    expect(done.toSorted()).toEqual([false, true]);
  });

  test("ends a session that a sign-in with the old password starts in the meantime", async () => {
    const hold = makeHold();
    const { auth, mails } = await openAuth(async () => (await makeDb()).withPlugin(hold.plugin), engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    hold.isActive = true;
    const reset = auth.resetPassword({ headers: noCookies, token: tokenOf(mails[0]), password: "another long word" });
    await Promise.race([hold.reached, reset]);
    hold.isActive = false;
    const session = cookieHeaders(await auth.signIn({ ...adaCredentials, headers: noCookies }));
    hold.release();
    expect(await reset).toBe(true);
    expect((await auth.findViewer(session)).viewer).toBeUndefined();
  });

  test("leaves no session of sign-ins with the old password that were under way", async () => {
    const { auth, db, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    const signIns = Array.from({ length: 6 }, () => auth.signIn({ ...adaCredentials, headers: noCookies }));
    const reset = auth.resetPassword({ headers: noCookies, token: tokenOf(mails[0]), password: "another long word" });
    const [isReset] = await Promise.all([reset, ...signIns]);
    expect(isReset).toBe(true);
    expect((await readAccountTables(db)).session).toEqual([]);
  });

  test("sets the first password of an account without one", async () => {
    const { auth, db, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await db.deleteFrom("account" as "setting").execute();
    await auth.requestReset(adaCredentials.email);
    expect(
      await auth.resetPassword({ headers: noCookies, token: tokenOf(mails[0]), password: "another long word" }),
    ).toBe(true);
    const signIn = { ...adaCredentials, password: "another long word", headers: noCookies };
    expect(await auth.signIn(signIn)).toMatchObject({ kind: "signed-in" });
  });

  test("is rejected after an hour and for any other token", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    await auth.requestReset(adaCredentials.email);
    expect(mails).toMatchObject([{ kind: "reset", to: adaCredentials.email, validHours: 1 }]);
    advanceClock({ hours: 1.1 });
    for (const token of [tokenOf(mails[0]), "", "x", "\0", "\0".repeat(32), "reset-password"]) {
      expect(await auth.findReset(token)).toBeUndefined();
      expect(await auth.resetPassword({ headers: noCookies, token, password: "another long word" })).toBe(false);
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
    await auth.resetPassword({ headers: noCookies, token: tokenOf(mails[1]), password: adaCredentials.password });
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
    expect(await auth.confirm({ headers: noCookies, token: tokenOf(mails[0]), viewer: undefined })).toEqual({
      kind: "used",
    });
    expect(await auth.signIn({ ...adaCredentials, password: "a stranger's word", headers: noCookies })).toEqual({
      kind: "refused",
    });
  });
});

/** Holds the result of the first read of passwords while `isActive`, until `release`. */
function makeHold() {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let query: QueryId | undefined;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const isRead = node.kind === "SelectQueryNode" && JSON.stringify(node).includes('"account"');
      if (hold.isActive && isRead) query ??= queryId;
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (queryId !== query) return result;
      reached.resolve();
      await released.promise;
      return result;
    },
  };
  const hold = { plugin, isActive: false, reached: reached.promise, release: () => released.resolve() };
  return hold;
}
