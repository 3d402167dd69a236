import { expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";

import { advance, createStillApp, passFirstStep, signInWithApp, startApp, twoStep } from "./two-step-users.ts";

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
