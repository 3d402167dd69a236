import { sql } from "kysely";
import { expect, test } from "vitest";

import { adaCredentials, advanceClock, noCookies, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const { email } = adaCredentials;

describeOnEachDatabase("confirming the address of an existing account", (makeDb, engine) => {
  /** Ada, signed in, her address no longer confirmed, and the link that she was sent. */
  async function open() {
    const opened = await openAccount(makeDb, engine);
    const { auth, markUnconfirmed, userId, lastToken } = opened;
    await markUnconfirmed();
    const viewer = { ...opened.viewer, isConfirmed: false };
    expect(await auth.sendEmailConfirmation(userId)).toBe("sent");
    const token = lastToken();
    const confirm = (change = {}) => auth.confirm({ headers: noCookies, token, viewer, ...change });
    return { ...opened, viewer, token, confirm };
  }

  test("works once, only in a browser that is signed in to the account, and keeps the password", async () => {
    const { auth, readTables, mails, headers, viewer, userId, confirm } = await open();
    expect((await auth.findViewer(headers)).viewer?.isConfirmed).toBe(false);
    expect(mails).toMatchObject([{ kind: "confirm-own", to: email }]);
    const { account } = await readTables();
    for (const other of [undefined, { ...viewer, id: "someone-else" }])
      expect(await confirm({ viewer: other })).toEqual({ kind: "sign-in-first" });
    expect(await confirm()).toEqual({ kind: "confirmed", email });
    expect((await auth.findViewer(headers)).viewer?.isConfirmed).toBe(true);
    expect((await readTables()).account).toEqual(account);
    expect(await confirm()).toEqual({ kind: "used" });
    expect(await auth.sendEmailConfirmation(userId)).toBe("confirmed");
    expect(mails).toHaveLength(1);
  });

  test("expires after a day, and when the address is changed again", async () => {
    const { db, confirm } = await open();
    await sql`update "user" set email = 'other@example.com'`.execute(db);
    expect(await confirm()).toEqual({ kind: "unknown" });
    await sql`update "user" set email = ${email}`.execute(db);
    advanceClock({ hours: 25 });
    expect(await confirm()).toEqual({ kind: "expired" });
  });
});
