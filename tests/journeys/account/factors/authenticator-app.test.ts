import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { drawingOf, inBothReaders, scanWithTwoReaders } from "#tests/support/fixtures/qr-readers.ts";
import { signedInNow } from "#tests/support/providers/provider-visits.ts";

import {
  advance,
  createStillApp,
  openWithApp,
  passFirstStep,
  readBackupCodes,
  sendCode,
  signInWithApp,
  startApp,
  twoStep,
} from "./two-step-users.ts";

describe("setting up an authenticator app", () => {
  test("shows a code that has the same key as the text beside it, and names the site and the account", async () => {
    const ada = await signedInNow(await createStillApp());
    const key = await startApp(ada);
    const read = await scanWithTwoReaders(
      drawingOf(await readPage(ada, `${twoStep}/app`), "QR code for your authenticator app"),
    );
    expect(read).toEqual(inBothReaders(read.jsqr ?? "none"));
    const uri = new URL(read.jsqr ?? "");
    expect(uri.href).toMatch(/^otpauth:\/\/totp\//);
    expect(decodeURIComponent(uri.pathname)).toContain(ada.email);
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: key, issuer: "Meishi (localhost:3000)" });
    expect(key).toHaveLength(32);
  });

  test("keeps the key after a wrong code, signs out other browsers and mails the owner after the right one", async () => {
    const app = await createStillApp();
    const other = await signedInNow(app);
    const ada = app.visitor();
    await logIn(ada, other);
    const key = await startApp(ada);
    const wrong = await ada.post(`${twoStep}/app`, { code: "000000" });
    expect(wrong.status).toBe(400);
    const refused = await wrong.text();
    expect(refused).toContain("This code isn’t right.");
    expect(refused.replaceAll(" ", "")).toContain(key);
    expect((await ada.post(`${twoStep}/app`, { code: " " })).status).toBe(400);
    expect(await readPage(ada, twoStep)).toContain("Set up authenticator app");

    const page = await (await ada.post(`${twoStep}/app`, { code: codeOf(key) })).text();
    const codes = readBackupCodes(page);
    expect(codes).toHaveLength(10);
    expect([await isSignedIn(ada), await isSignedIn(other)]).toEqual([true, false]);
    expect(await app.mails("Two-step verification was turned on for your Meishi account")).toHaveLength(1);
    // Neither the key nor the backup codes are stored readably.
    const { db } = app.services;
    const rows = [
      await db.selectFrom("second_factor").selectAll().execute(),
      await db.selectFrom("backup_code").selectAll().execute(),
    ];
    const stored = JSON.stringify(rows);
    for (const secret of [key, ...codes]) expect(stored).not.toContain(secret.replaceAll("-", ""));
  });

  test("a key copied to another account's row is of no use there", async () => {
    const app = await createStillApp();
    const eve = await signInWithApp(app, "eve@example.com");
    const ada = await signInWithApp(app);
    const rows = await app.services.db.selectFrom("second_factor").selectAll().orderBy("enabled_at").execute();
    const stolen = { totp_secret: rows[0]?.totp_secret ?? "" };
    await app.services.db.updateTable("second_factor").set(stolen).execute();
    advance(30);
    const thief = await passFirstStep(app, ada);
    expect(await sendCode(thief, eve.code())).toBe(500);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("a new app replaces the old one, and needs a recent proof", async () => {
    const { app, ada } = await openWithApp();
    const key = await startApp(ada);
    expect(locationOf(await ada.post(`${twoStep}/app`, { code: codeOf(key) }))).toBe(twoStep);
    advance(30);
    const phone = await passFirstStep(app, ada);
    expect([await sendCode(phone, ada.code()), await sendCode(phone, codeOf(key))]).toEqual([400, 302]);
    advance(11 * 60);
    for (const response of [await ada.get(twoStep), await ada.post(twoStep, { intent: "start-app" })])
      expect(locationOf(response)).toBe("/account/verify?returnTo=%2Faccount%2Ftwo-step");
  });
});

describe("signing in", () => {
  test("asks for the code after the password, then opens the requested page", async () => {
    const { app, ada } = await openWithApp();
    const phone = await passFirstStep(app, ada);
    expect(await isSignedIn(phone)).toBe(false);
    const path = "/auth/verify?returnTo=%2Fcards%2Fedit";
    expect(await readPage(phone, path)).toContain('autoComplete="one-time-code"');
    const refused = await phone.post(path, { code: "000000", trust: "on" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/This code isn’t right, or it was used before/);
    const spaced = ada.code().replace(/.../, "$& ");
    expect(locationOf(await phone.post(path, { code: spaced }))).toBe("/cards/edit");
    expect(await isSignedIn(phone)).toBe(true);
    expect([...phone.cookies.keys()]).not.toContain("meishi.challenge");
  });

  test("accepts a clock that is 30 seconds off, but not 90", async () => {
    const { app, ada } = await openWithApp();
    for (const skew of [-30, 30]) {
      advance(300);
      const phone = await passFirstStep(app, ada);
      expect([await sendCode(phone, ada.code(3 * skew)), await sendCode(phone, ada.code(skew))]).toEqual([400, 302]);
    }
  });

  test("a code is accepted once, also the one that was used to set up the app", async () => {
    const app = await createStillApp();
    const ada = await signInWithApp(app);
    const phone = await passFirstStep(app, ada);
    expect(await sendCode(phone, ada.code())).toBe(400);
    advance(30);
    expect(await sendCode(phone, ada.code())).toBe(302);
    expect(await sendCode(await passFirstStep(app, ada), ada.code())).toBe(400);
  });

  test("of twenty sign-ins at once with the same code one succeeds", async () => {
    const { app, ada } = await openWithApp();
    const phones: Visitor[] = [];
    for (let n = 0; n < 20; n++) phones.push(await passFirstStep(app, ada));
    const statuses = await Promise.all(phones.map((phone) => sendCode(phone, ada.code())));
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(new Set(statuses.toSorted().slice(1))).toEqual(new Set([400, 429]));
  });

  test("after ten minutes starts over, and still leads to the requested page", async () => {
    const { app, ada } = await openWithApp();
    const phone = await passFirstStep(app, ada);
    advance(601);
    const path = "/auth/verify?returnTo=%2Fcards";
    for (const response of [await phone.get(path), await phone.post(path, { code: ada.code() })])
      expect(locationOf(response)).toBe("/auth?returnTo=%2Fcards");
    expect(await readPage(phone, "/auth?returnTo=%2Fcards")).toContain("Please sign in again");
  });

  test("a trusted browser isn't asked for 30 days, until that is taken back", async () => {
    const { app, ada } = await openWithApp();
    const phone = await passFirstStep(app, ada);
    await sendCode(phone, ada.code(), { trust: "on" });
    const signInAgain = async () => {
      await phone.post("/auth/sign-out", {});
      return locationOf(await logIn(phone, ada));
    };
    expect(await signInAgain()).toBe("/home");
    // The trust belongs to the browser and the account.
    await passFirstStep(app, ada);
    advance(29 * 24 * 3600);
    expect(await signInAgain()).toBe("/home");
    await phone.post("/account/verify", { password: ada.password, factor: ada.code() });
    expect(await readPage(phone, twoStep)).toContain("Stop trusting");
    await phone.post(twoStep, { intent: "untrust" });
    const list = await phone.get(twoStep);
    expect([list.status, await list.text()]).toEqual([200, expect.not.stringContaining("Stop trusting")]);
    expect(await signInAgain()).toBe("/auth/verify");
  });
});

test("turning it off asks for no code again, and mails the owner", async () => {
  const { app, ada } = await openWithApp();
  await ada.post(twoStep, { intent: "turn-off" });
  expect(await app.mails("Two-step verification was turned off for your Meishi account")).toHaveLength(1);
  expect(locationOf(await logIn(app.visitor(), ada))).toBe("/home");
  expect(await app.services.db.selectFrom("backup_code").selectAll().execute()).toEqual([]);
});

test("a backup code signs in once, however it is typed, and the owner is told how many are left", async () => {
  const { app, ada } = await openWithApp();
  const [first = ""] = ada.codes;
  const path = "/auth/verify?with=backup-code";
  const phone = await passFirstStep(app, ada);
  expect(await readPage(phone, path)).toContain("Backup code");
  const typed = ` ${first.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect((await phone.post(path, { kind: "backup-code", code: typed })).status).toBe(302);
  expect(await isSignedIn(phone)).toBe(true);
  const [mail] = (await app.mails()).filter(({ subject }) => subject.includes("backup code"));
  expect(mail?.text).toContain("9 backup codes are left.");
  const refused = await (await passFirstStep(app, ada)).post(path, { kind: "backup-code", code: first });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(first)]);
});

test("new backup codes replace the old ones and can be downloaded, and another account's are refused", async () => {
  const app = await createStillApp();
  const eve = await signInWithApp(app, "eve@example.com");
  const ada = await signInWithApp(app);
  const page = await (await ada.post(twoStep, { intent: "make-codes" })).text();
  const codes = readBackupCodes(page);
  expect(codes).toHaveLength(10);
  const href = /download="meishi-backup-codes.txt"[^>]*href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(page)?.[1];
  for (const code of codes) expect(decodeURIComponent(href ?? "")).toContain(code);
  // Opened again, the page doesn't show them.
  expect(readBackupCodes(await readPage(ada, twoStep))).toEqual([]);
  const phone = await passFirstStep(app, ada);
  for (const [code = "", status] of [
    [ada.codes[0], 400],
    [eve.codes[0], 400],
    [codes[0], 302],
  ] as const)
    expect((await phone.post("/auth/verify", { kind: "backup-code", code })).status).toBe(status);
});

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const password = "a fresh cup of tea";

/** Two browsers of Ada, "Safari on iOS" and "Firefox on Windows", which are trusted for 30 days. */
async function trustTwoBrowsers() {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const trust = async (headers: Record<string, string> = {}) => {
    advance(30);
    const visitor = await passFirstStep(app, ada);
    const done = await visitor.post("/auth/verify", { code: ada.code(), trust: "on" }, headers);
    expect(done.status).toBe(302);
    return visitor;
  };
  return { app, ada, phone: await trust(), laptop: await trust({ "user-agent": firefox }) };
}

/** Whether signing in with the password asks for a code as well. */
async function needsCode(browser: Visitor, user: { email: string; password: string }) {
  await browser.post("/auth/sign-out", {});
  const response = await logIn(browser, user);
  expect(response.status).toBe(302);
  return locationOf(response) === "/auth/verify";
}

type Users = Awaited<ReturnType<typeof trustTwoBrowsers>>;

/** What Ada does on her phone, and whether the phone stays trusted. The laptop never does. */
const endings: [string, boolean, (users: Users) => Promise<unknown>][] = [
  [
    "a password reset",
    false,
    async ({ app, ada, phone }) => {
      await phone.post("/forgot-password", { email: ada.email });
      const mail = (await app.mails()).find(({ subject }) => subject.startsWith("Set a new password"));
      await phone.post(firstLink(mail?.text), { password, confirm: password });
    },
  ],
  [
    "a password change",
    true,
    ({ ada, phone }) =>
      phone.post("/account", { intent: "change-password", current: ada.password, password, confirm: password }),
  ],
  ["signing out all others", true, ({ phone }) => phone.post("/account/sessions", { intent: "end-others" })],
  ["signing out everywhere", false, ({ phone }) => phone.post("/account/sessions", { intent: "end-all" })],
  [
    "turning two-step verification off and on again",
    false,
    async ({ phone }) => {
      await phone.post(twoStep, { intent: "turn-off" });
      await phone.post(`${twoStep}/app`, { code: codeOf(await startApp(phone)) });
    },
  ],
  [
    "a new authenticator app",
    true,
    async ({ phone }) => phone.post(`${twoStep}/app`, { code: codeOf(await startApp(phone)) }),
  ],
  [
    "signing out the laptop in the list",
    true,
    async ({ phone }) => {
      const [, item = ""] = /Firefox on Windows([^]*?)<\/li>/.exec(await readPage(phone, "/account/sessions")) ?? [];
      const id = /name="id" value="([^"]+)"/.exec(item)?.[1] ?? "";
      await phone.post("/account/sessions", { intent: "end", id });
    },
  ],
];

test.each(endings)("%s ends the trust of other browsers; this one stays trusted: %s", async (name, isKept, act) => {
  const users = await trustTwoBrowsers();
  const { ada, phone, laptop } = users;
  await act(users);
  const user = name.startsWith("a password") ? { ...ada, password } : ada;
  expect(await needsCode(phone, user)).toBe(!isKept);
  expect(await needsCode(laptop, user)).toBe(true);
});
