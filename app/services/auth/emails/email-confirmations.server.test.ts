import { expect, test } from "vitest";

import {
  adaCredentials,
  makeAccount,
  noCookies,
  openAuth,
  readAccountTables,
  tokenOf,
  advanceClock,
} from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("confirming the address of an existing account", (makeDb, engine) => {
  /** Opens auth with Ada signed in and her address no longer confirmed. */
  async function openUnconfirmed() {
    const opened = await openAuth(makeDb, engine);
    const headers = await makeAccount(opened.auth, opened.mails);
    await setUser(opened, { emailVerified: engine === "sqlite" ? 0 : false });
    const { viewer } = await opened.auth.findViewer(headers);
    if (!viewer) throw new Error("Ada is not signed in");
    return { ...opened, headers, viewer };
  }

  type Opened = Pick<Awaited<ReturnType<typeof openAuth>>, "db">;
  const setUser = ({ db }: Opened, change: Record<string, unknown>) =>
    db
      .updateTable("user" as "setting")
      .set(change as never)
      .execute();

  test("works once, only in a browser that is signed in to the account", async () => {
    const { auth, mails, headers, viewer } = await openUnconfirmed();
    expect(viewer.isConfirmed).toBe(false);
    expect(await auth.sendEmailConfirmation(viewer.id)).toBe("sent");
    expect(mails).toMatchObject([{ kind: "confirm-own", to: adaCredentials.email }]);
    const token = tokenOf(mails[0]);
    expect(await auth.confirm({ headers: noCookies, token, viewer: undefined })).toEqual({ kind: "sign-in-first" });
    expect(await auth.confirm({ headers: noCookies, token, viewer: { ...viewer, id: "someone-else" } })).toEqual({
      kind: "sign-in-first",
    });
    expect(await auth.confirm({ headers: noCookies, token, viewer })).toEqual({
      kind: "confirmed",
      email: adaCredentials.email,
    });
    expect((await auth.findViewer(headers)).viewer?.isConfirmed).toBe(true);
    expect(await auth.confirm({ headers: noCookies, token, viewer })).toEqual({ kind: "used" });
    expect(await auth.sendEmailConfirmation(viewer.id)).toBe("confirmed");
    expect(mails).toHaveLength(1);
  });

  test("keeps the password", async () => {
    const { auth, mails, viewer, db } = await openUnconfirmed();
    const before = (await readAccountTables(db)).account;
    await auth.sendEmailConfirmation(viewer.id);
    await auth.confirm({ headers: noCookies, token: tokenOf(mails[0]), viewer });
    expect((await readAccountTables(db)).account).toEqual(before);
    expect(await auth.signIn({ ...adaCredentials, headers: noCookies })).toMatchObject({ kind: "signed-in" });
  });

  test("expires after a day, and when the address is changed again", async () => {
    const { auth, mails, viewer, db } = await openUnconfirmed();
    await auth.sendEmailConfirmation(viewer.id);
    const token = tokenOf(mails[0]);
    await setUser({ db }, { email: "other@example.com" });
    expect(await auth.confirm({ headers: noCookies, token, viewer })).toEqual({ kind: "unknown" });
    await setUser({ db }, { email: adaCredentials.email });
    advanceClock({ hours: 25 });
    expect(await auth.confirm({ headers: noCookies, token, viewer })).toEqual({ kind: "expired" });
  });

  test("rejects a link that we did not sign", async () => {
    const { auth, mails, viewer } = await openUnconfirmed();
    await auth.sendEmailConfirmation(viewer.id);
    const [payload = "", signature = ""] = tokenOf(mails[0]).split(".");
    const forged = Buffer.from(JSON.stringify(["x", adaCredentials.email, 9e15])).toString("base64url");
    for (const token of [payload, `${forged}.${signature}`, `${payload}.`, ""]) {
      expect(await auth.confirm({ headers: noCookies, token, viewer })).toEqual({ kind: "unknown" });
    }
  });
});
