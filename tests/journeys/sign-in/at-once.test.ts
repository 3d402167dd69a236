import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

describe.each(listEngines())("on %s", (engine) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine);
    return createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1", ...(databaseUrl && { DATABASE_URL: databaseUrl }) } });
  }

  test("twenty sign-ins at once to one account are as many sessions, and none is lost", async () => {
    const app = await open();
    const ada = await app.signedIn();
    const form = { intent: "log-in", email: ada.email, password: ada.password };
    // Of browsers in five networks: ten at a time are checked for each.
    const browsers = Array.from({ length: 20 }, (_, n) => ({
      browser: app.visitor(),
      from: { "x-forwarded-for": `203.0.${n % 5}.7` },
    }));
    const answers = await Promise.all(browsers.map(({ browser, from }) => browser.post("/auth", form, from)));
    const isIn = answers.map(({ status }) => status === 302);
    // The others wait, as after ten wrong passwords, and are let in later.
    expect(answers.every(({ status }) => [302, 429].includes(status))).toBe(true);
    expect(isIn.filter(Boolean).length).toBeGreaterThanOrEqual(10);
    const opened = await Promise.all(browsers.map(async ({ browser }) => (await browser.get("/account")).status));
    expect(opened).toEqual(isIn.map((signedIn) => (signedIn ? 200 : 302)));
    const sessions = await app.services.auth.listSessions({ userId: await userIdOf(ada), headers: new Headers() });
    expect(sessions).toHaveLength(isIn.filter(Boolean).length + 1);
    expect((await app.visitor().post("/auth", form, { "x-forwarded-for": "198.51.100.7" })).status).toBe(302);
  });

  test("twenty presses of one emailed link sign in one browser", async () => {
    const app = await open();
    const ada = await app.signedIn();
    await app.visitor().post("/auth", { intent: "email-sign-in", email: ada.email });
    const link = firstLink((await app.mails())[0]?.text);
    const browsers = Array.from({ length: 20 }, () => app.visitor());
    await Promise.all(browsers.map((browser) => browser.post(link, { browser: "other" })));
    const opened = await Promise.all(browsers.map(async (browser) => (await browser.get("/account")).status));
    expect(opened.filter((status) => status === 200)).toHaveLength(1);
  });

  test("a blocked user's open sessions and mailed links are refused", async () => {
    const app = await open();
    const ada = await app.signedIn();
    const phone = app.visitor();
    await phone.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
    await app.visitor().post("/auth", { intent: "email-sign-in", email: ada.email });
    const link = firstLink((await app.mails())[0]?.text);
    await app.visitor().post("/forgot-password", { email: ada.email });
    const reset = firstLink((await app.mails())[0]?.text);
    // By this row alone: even a session that was not ended is refused.
    const block = { owner_id: await userIdOf(ada), reason: "Spam", created_at: 1 };
    await app.services.db.insertInto("account_block").values(block).execute();
    for (const browser of [ada, phone]) expect((await browser.get("/account")).status).toBe(302);
    const late = app.visitor();
    await late.post(link, { browser: "other" });
    expect((await late.get("/account")).status).toBe(302);
    const words = "another long word";
    await late.post(reset, { password: words, confirm: words });
    expect((await late.post("/auth", { intent: "log-in", email: ada.email, password: words })).status).toBe(403);
    expect((await late.get("/account")).status).toBe(302);
  });
});
