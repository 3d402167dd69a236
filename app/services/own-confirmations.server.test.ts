import { expect, test } from "vitest";

import { ada, makeAccount, nobody, openAuth, readAll, tokenOf, wait } from "#tests/support/accounts.ts";
import { describeOnEachDatabase } from "#tests/support/databases.ts";

describeOnEachDatabase("confirming an address of one's own", (makeDb, engine) => {
  /** Ada is signed in, and her address is not confirmed any more. */
  async function openChanged() {
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

  test("works once, in the browser that is signed in, and signs nobody in", async () => {
    const { auth, mails, headers, viewer } = await openChanged();
    expect(viewer.isConfirmed).toBe(false);
    expect(await auth.sendOwnConfirmation(viewer.id)).toBe("sent");
    expect(mails).toMatchObject([{ kind: "confirm-own", to: ada.email }]);
    const token = tokenOf(mails[0]);
    expect(await auth.confirm({ token, viewer: undefined })).toEqual({ kind: "sign-in-first" });
    expect(await auth.confirm({ token, viewer: { ...viewer, id: "somebody-else" } })).toEqual({
      kind: "sign-in-first",
    });
    expect(await auth.confirm({ token, viewer })).toEqual({ kind: "confirmed", email: ada.email });
    expect((await auth.findViewer(headers)).viewer?.isConfirmed).toBe(true);
    expect(await auth.confirm({ token, viewer })).toEqual({ kind: "used" });
    expect(await auth.sendOwnConfirmation(viewer.id)).toBe("confirmed");
    expect(mails).toHaveLength(1);
  });

  test("leaves the password as it is", async () => {
    const { auth, mails, viewer, db } = await openChanged();
    const before = (await readAll(db)).account;
    await auth.sendOwnConfirmation(viewer.id);
    await auth.confirm({ token: tokenOf(mails[0]), viewer });
    expect((await readAll(db)).account).toEqual(before);
    expect(await auth.signIn({ ...ada, headers: nobody })).toMatchObject({ kind: "signed-in" });
  });

  test("is over after a day, and when the address was changed once more", async () => {
    const { auth, mails, viewer, db } = await openChanged();
    await auth.sendOwnConfirmation(viewer.id);
    const token = tokenOf(mails[0]);
    await setUser({ db }, { email: "other@example.com" });
    expect(await auth.confirm({ token, viewer })).toEqual({ kind: "unknown" });
    await setUser({ db }, { email: ada.email });
    wait({ hours: 25 });
    expect(await auth.confirm({ token, viewer })).toEqual({ kind: "expired" });
  });

  test("takes no link that we did not sign", async () => {
    const { auth, mails, viewer } = await openChanged();
    await auth.sendOwnConfirmation(viewer.id);
    const [payload = "", signature = ""] = tokenOf(mails[0]).split(".");
    const forged = Buffer.from(JSON.stringify(["x", ada.email, 9e15])).toString("base64url");
    for (const token of [payload, `${forged}.${signature}`, `${payload}.`, ""]) {
      expect(await auth.confirm({ token, viewer })).toEqual({ kind: "unknown" });
    }
  });
});
