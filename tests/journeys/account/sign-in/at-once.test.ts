import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, logIn } from "#tests/support/app/visitor.ts";
import { blockUser } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

describe.each(listEngines())("on %s", (engine) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine);
    return createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1", ...(databaseUrl && { DATABASE_URL: databaseUrl }) } });
  }

  test("twenty sign-ins at once to one account are as many sessions, and none is lost", async () => {
    const app = await open();
    const ada = await app.signedIn();
    // Of browsers in five networks: ten at a time are checked for each.
    const browsers = Array.from({ length: 20 }, () => app.visitor());
    const from = (network: string) => ({ headers: { "x-forwarded-for": network } });
    const answers = await Promise.all(browsers.map((browser, n) => logIn(browser, ada, from(`203.0.${n % 5}.7`))));
    const isIn = answers.map(({ status }) => status === 302);
    // The others wait, as after ten wrong passwords, and are let in later.
    expect(answers.every(({ status }) => [302, 429].includes(status))).toBe(true);
    expect(isIn.filter(Boolean).length).toBeGreaterThanOrEqual(10);
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual(isIn);
    const sessions = await app.services.auth.listSessions({ userId: await userIdOf(ada), headers: new Headers() });
    expect(sessions).toHaveLength(isIn.filter(Boolean).length + 1);
    expect((await logIn(app.visitor(), ada, from("198.51.100.7"))).status).toBe(302);
  });

  test("a blocked user's open sessions and mailed links are refused", async () => {
    const app = await open();
    const ada = await app.signedIn();
    const phone = app.visitor();
    await logIn(phone, ada);
    await app.visitor().post("/auth", { intent: "email-sign-in", email: ada.email });
    const link = firstLink((await app.mails())[0]?.text);
    await app.visitor().post("/forgot-password", { email: ada.email });
    const reset = firstLink((await app.mails())[0]?.text);
    // By this row alone: even a session that was not ended is refused.
    await blockUser(app.services, await userIdOf(ada));
    const late = app.visitor();
    await late.post(link, { browser: "other" });
    for (const browser of [ada, phone, late]) expect(await isSignedIn(browser)).toBe(false);
    const password = "another long word";
    await late.post(reset, { password, confirm: password });
    expect((await logIn(late, { ...ada, password })).status).toBe(403);
    expect(await isSignedIn(late)).toBe(false);
  });
});
