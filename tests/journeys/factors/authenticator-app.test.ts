import { describe, expect, test } from "vitest";

import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { scanQrCode } from "#tests/support/fixtures/qr-readers.ts";
import {
  createStillApp,
  isSignedIn,
  passFirstStep,
  readBackupCodes,
  signInNow,
  signInWithApp,
  startApp,
  twoStep,
} from "./two-step-users.ts";

describe("setting up an authenticator app", () => {
  test("shows a QR code that names the account, and the same key as text", async () => {
    const app = await createStillApp();
    const ada = await signInNow(app);
    const key = await startApp(ada);
    const page = await (await ada.get(`${twoStep}/app`)).text();
    const [, size, d] =
      /viewBox="0 0 (\d+) \d+"[^>]*aria-label="QR code for your[^>]*><path d="([^"]+)"/.exec(page) ?? [];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h999v999H0z"/><path d="${d}" stroke="#000" fill="none"/></svg>`;
    const uri = new URL((await scanQrCode(svg)) ?? "");
    expect(uri.href).toMatch(/^otpauth:\/\/totp\//);
    expect(decodeURIComponent(uri.pathname)).toContain("ada@example.com");
    expect(uri.searchParams.get("issuer")).toBe("Meishi (localhost:3000)");
    expect(uri.searchParams.get("secret")).toBe(key);
    expect(key).toHaveLength(32);
  });

  test("a wrong code keeps the key and says what to do", async () => {
    const app = await createStillApp();
    const ada = await signInNow(app);
    const key = await startApp(ada);
    const response = await ada.post(`${twoStep}/app`, { code: "000000" });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain("This code isn&#x27;t right.");
    expect(page.replaceAll(" ", "")).toContain(key);
    expect((await ada.post(`${twoStep}/app`, { code: " " })).status).toBe(400);
    expect(await (await ada.get(twoStep)).text()).toContain("Set up authenticator app");
  });

  test("turns it on, signs out other browsers and mails the owner", async () => {
    const app = await createStillApp();
    const other = await signInNow(app);
    const ada = app.visitor();
    await ada.post("/auth", { intent: "log-in", email: other.email, password: other.password });
    const key = await startApp(ada);
    const page = await (await ada.post(`${twoStep}/app`, { code: codeOf(key) })).text();
    expect(readBackupCodes(page)).toHaveLength(10);
    expect(await isSignedIn(ada)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect((await app.mails())[0]?.subject).toBe("Two-step verification was turned on for your Meishi account");
  });

  test("stores neither the key nor the backup codes readably", async () => {
    const app = await createStillApp();
    const { key, codes } = await signInWithApp(app);
    const stored = JSON.stringify([
      await app.services.db.selectFrom("second_factor").selectAll().execute(),
      await app.services.db.selectFrom("backup_code").selectAll().execute(),
    ]);
    expect(stored).not.toContain(key);
    for (const code of codes) expect(stored).not.toContain(code.replaceAll("-", ""));
  });

  test("a key copied to another account's row is of no use there", async () => {
    const app = await createStillApp();
    const eve = await signInWithApp(app, "eve@example.com");
    const ada = await signInWithApp(app);
    const rows = await app.services.db.selectFrom("second_factor").selectAll().orderBy("enabled_at").execute();
    await app.services.db
      .updateTable("second_factor")
      .set({ totp_secret: rows[0]?.totp_secret ?? "" })
      .execute();
    app.advance(30);
    const thief = await passFirstStep(app, ada);
    expect((await thief.post("/auth/verify", { code: eve.code() })).status).toBe(500);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("a new app replaces the old one", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    const key = await startApp(ada);
    const response = await ada.post(`${twoStep}/app`, { code: codeOf(key) });
    expect(response.headers.get("location")).toBe(twoStep);
    app.advance(30);
    const phone = await passFirstStep(app, ada);
    expect((await phone.post("/auth/verify", { code: ada.code() })).status).toBe(400);
    expect((await phone.post("/auth/verify", { code: codeOf(key) })).status).toBe(302);
  });

  test("needs a recent proof", async () => {
    const app = await createStillApp();
    const ada = await signInNow(app);
    app.advance(11 * 60);
    for (const response of [await ada.get(twoStep), await ada.post(twoStep, { intent: "start-app" })])
      expect(response.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount%2Ftwo-step");
  });
});

describe("signing in", () => {
  test("asks for the code after the password, then opens the page that was asked for", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    app.advance(30);
    const phone = await passFirstStep(app, ada);
    expect(await isSignedIn(phone)).toBe(false);
    const page = await (await phone.get("/auth/verify?returnTo=%2Fcards%2Fedit")).text();
    expect(page).toContain('autoComplete="one-time-code"');
    const refused = await phone.post("/auth/verify?returnTo=%2Fcards%2Fedit", { code: "000000", trust: "on" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/This code isn&#x27;t right, or it was used before/);
    const spaced = ada.code().replace(/.../, "$& ");
    const done = await phone.post("/auth/verify?returnTo=%2Fcards%2Fedit", { code: spaced });
    expect(done.headers.get("location")).toBe("/cards/edit");
    expect(await isSignedIn(phone)).toBe(true);
    expect([...phone.cookies.keys()]).not.toContain("meishi.challenge");
  });

  test.each([-30, 30])("accepts a clock that is %i seconds off, but not 90", async (skew) => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    app.advance(300);
    const phone = await passFirstStep(app, ada);
    expect((await phone.post("/auth/verify", { code: ada.code(3 * skew) })).status).toBe(400);
    expect((await phone.post("/auth/verify", { code: ada.code(skew) })).status).toBe(302);
  });

  test("a code is accepted once, also the one that was used to set up the app", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    const phone = await passFirstStep(app, ada);
    expect((await phone.post("/auth/verify", { code: ada.code() })).status).toBe(400);
    app.advance(30);
    const code = ada.code();
    expect((await phone.post("/auth/verify", { code })).status).toBe(302);
    const thief = await passFirstStep(app, ada);
    expect((await thief.post("/auth/verify", { code })).status).toBe(400);
  });

  test("of twenty sign-ins at once with the same code one succeeds", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    app.advance(30);
    const code = ada.code();
    const phones: Visitor[] = [];
    for (let n = 0; n < 20; n++) phones.push(await passFirstStep(app, ada));
    const responses = await Promise.all(phones.map((phone) => phone.post("/auth/verify", { code })));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(new Set(statuses.slice(1))).toEqual(new Set([400, 429]));
  });

  test("after ten minutes starts over, and still leads to the page that was asked for", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    const phone = await passFirstStep(app, ada);
    app.advance(601);
    for (const response of [
      await phone.get("/auth/verify?returnTo=%2Fcards"),
      await phone.post("/auth/verify?returnTo=%2Fcards", { code: ada.code() }),
    ])
      expect(response.headers.get("location")).toBe("/auth?returnTo=%2Fcards");
    expect(await (await phone.get("/auth?returnTo=%2Fcards")).text()).toContain("Please sign in again");
  });

  test("a trusted browser isn't asked for 30 days, until that is taken back", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    app.advance(30);
    const phone = await passFirstStep(app, ada);
    await phone.post("/auth/verify", { code: ada.code(), trust: "on" });
    const signInAgain = async () => {
      await phone.post("/auth/sign-out", {});
      const again = await phone.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
      return again.headers.get("location");
    };
    expect(await signInAgain()).toBe("/profile");
    // The trust belongs to the browser and the account.
    await passFirstStep(app, ada);
    app.advance(29 * 24 * 3600);
    expect(await signInAgain()).toBe("/profile");
    await phone.post("/account/verify", { password: ada.password, factor: ada.code() });
    const list = await (await phone.get(twoStep)).text();
    expect(list).toContain("Stop trusting");
    await phone.post(twoStep, { intent: "untrust" });
    const listAfter = await phone.get(twoStep);
    expect([listAfter.status, await listAfter.text()]).toEqual([200, expect.not.stringContaining("Stop trusting")]);
    expect(await signInAgain()).toBe("/auth/verify");
  });
});

test("turning it off asks for no code again, and mails the owner", async () => {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  await ada.post(twoStep, { intent: "turn-off" });
  expect((await app.mails())[0]?.subject).toBe("Two-step verification was turned off for your Meishi account");
  const phone = app.visitor();
  const response = await phone.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
  expect(response.headers.get("location")).toBe("/profile");
  expect(await app.services.db.selectFrom("backup_code").selectAll().execute()).toEqual([]);
});
