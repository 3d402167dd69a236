import type { KyselyPlugin, QueryId } from "kysely";
import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const password = "another long word";

describeOnEachDatabase("a password reset", (makeDb, engine) => {
  async function openReset(makeOwnDb = makeDb) {
    const opened = await openAccount(makeOwnDb, engine);
    await opened.auth.requestReset(adaCredentials.email);
    const reset = (token = opened.lastToken(), word = password) =>
      opened.auth.resetPassword({ headers: new Headers(), token, password: word });
    return { ...opened, reset };
  }

  test("works for one of two concurrent requests, and ends all sessions and other links", async () => {
    const { auth, headers, signIn, lastToken, reset } = await openReset();
    const first = lastToken();
    await auth.requestReset(adaCredentials.email);
    const second = lastToken();
    expect(await auth.findReset(first)).toEqual({ email: adaCredentials.email });
    const words = ["one long word", "two long words"];
    const done = await Promise.all(words.map((word) => reset(first, word)));
    expect(done.toSorted()).toEqual([false, true]);
    expect((await auth.findViewer(headers)).viewer).toBeUndefined();
    expect(await signIn()).toEqual({ kind: "refused" });
    expect(await signIn({ password: words[done.indexOf(true)] })).toMatchObject({ kind: "signed-in" });
    for (const token of [first, second]) {
      expect(await auth.findReset(token)).toBeUndefined();
      expect(await reset(token)).toBe(false);
    }
  });

  test("ends a session that a sign-in with the old password starts in the meantime", async () => {
    const hold = makeHold();
    const { auth, signIn, reset } = await openReset(async () => (await makeDb()).withPlugin(hold.plugin));
    hold.isActive = true;
    const isReset = reset();
    await Promise.race([hold.reached, isReset]);
    hold.isActive = false;
    const session = cookieHeaders(await signIn());
    hold.release();
    expect(await isReset).toBe(true);
    expect((await auth.findViewer(session)).viewer).toBeUndefined();
  });

  test("leaves no session of sign-ins with the old password that were under way", async () => {
    const { readTables, signIn, reset } = await openReset();
    const signIns = Array.from({ length: 6 }, () => signIn());
    const [isReset] = await Promise.all([reset(), ...signIns]);
    expect(isReset).toBe(true);
    expect((await readTables()).session).toEqual([]);
  });

  test("sets the first password of an account without one", async () => {
    const { db, signIn, reset } = await openReset();
    await db.deleteFrom("account" as "setting").execute();
    expect(await reset()).toBe(true);
    expect(await signIn({ password })).toMatchObject({ kind: "signed-in" });
  });

  test("is rejected after an hour and for any other token", async () => {
    const { auth, mails, lastToken, reset } = await openReset();
    expect(mails).toMatchObject([{ kind: "reset", to: adaCredentials.email, validHours: 1 }]);
    advanceClock({ hours: 1.1 });
    for (const token of [lastToken(), "", "x", "\0", "\0".repeat(32), "reset-password"]) {
      expect(await auth.findReset(token)).toBeUndefined();
      expect(await reset(token)).toBe(false);
    }
  });

  test("also confirms the address, because the link came from its mailbox", async () => {
    const { auth, signIn, lastToken } = await openAuth(makeDb, engine);
    await auth.signUp({ ...adaCredentials, password: "a stranger's word" });
    await auth.requestReset(adaCredentials.email);
    await auth.resetPassword({ headers: new Headers(), token: lastToken("reset"), password });
    expect(await signIn({ password })).toMatchObject({ kind: "signed-in" });
    const confirm = { headers: new Headers(), token: lastToken("confirm"), viewer: undefined };
    expect(await auth.confirm(confirm)).toEqual({ kind: "used" });
    expect(await signIn({ password: "a stranger's word" })).toEqual({ kind: "refused" });
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
