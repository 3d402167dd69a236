import { expect, test } from "vitest";

import { adaCredentials, advanceClock, cookieHeaders, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("the sessions of an account", (makeDb, engine) => {
  test("are proved again with a mailed code, once and within an hour, and get a new token", async () => {
    const { auth, mails, userId, headers } = await openAccount(makeDb, engine);
    await auth.sendIdentityCode(userId);
    const [mail] = mails;
    const code = mail?.kind === "identity-code" ? mail.code : "";
    const prove = (given: string) =>
      auth.confirmIdentity({ userId, proof: { method: "email-code", code: given }, origin: { headers } });
    expect(await prove(code === "000000" ? "111111" : "000000")).toEqual({ kind: "refused" });
    advanceClock({ hours: 0.1 });
    const { viewer } = await auth.findViewer(cookieHeaders(await prove(code)));
    expect(viewer?.verifiedAt).toBe(Date.now());
    // The requests that were under way keep the session, without the proof.
    expect((await auth.findViewer(headers)).viewer).toMatchObject({ id: userId, verifiedAt: 0 });
    expect(await prove(code)).toEqual({ kind: "refused" });
    await auth.sendIdentityCode(userId);
    advanceClock({ hours: 1 });
    expect(await auth.findIdentityCode(userId)).toBeUndefined();
  });

  test("come from browsers that are remembered, of which none stays trusted when that is taken back", async () => {
    const { auth, db, userId, signIn } = await openAccount(makeDb, engine);
    await signIn();
    const device = cookieHeaders(await signIn());
    expect(await auth.findKnownDevice({ email: adaCredentials.email, headers: device })).toEqual(expect.any(String));
    expect(await auth.findKnownDevice({ email: "other@example.com", headers: device })).toBeUndefined();
    const trusted_until = Date.now() + 1000;
    await db.updateTable("known_device").set({ trusted_until }).execute();
    const trusted = await auth.listTrustedBrowsers(userId);
    expect(trusted).toHaveLength(3);
    await auth.untrustBrowsers({ userId, id: trusted[0]?.id ?? "" });
    expect(await auth.listTrustedBrowsers(userId)).toHaveLength(2);
    await auth.untrustBrowsers({ userId });
    expect(await auth.listTrustedBrowsers(userId)).toEqual([]);
  });
});
