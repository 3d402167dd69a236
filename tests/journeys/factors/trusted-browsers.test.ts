import { expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";

import { advance, createStillApp, passFirstStep, signInWithApp, startApp, twoStep } from "./two-step-users.ts";

type App = Awaited<ReturnType<typeof createStillApp>>;
type Ada = Awaited<ReturnType<typeof signInWithApp>>;

const firefox = {
  "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
};

/** Two browsers of Ada, "Safari on iOS" and "Firefox on Windows", which are trusted for 30 days. */
async function trustTwoBrowsers() {
  const app = await createStillApp();
  const ada = await signInWithApp(app);
  const phone = await trustBrowser(app, ada);
  const laptop = await trustBrowser(app, ada, firefox);
  return { app, ada, phone, laptop };
}

async function trustBrowser(app: App, ada: Ada, headers: Record<string, string> = {}): Promise<Visitor> {
  advance(30);
  const visitor = await passFirstStep(app, ada);
  const done = await visitor.post("/auth/verify", { code: ada.code(), trust: "on" }, headers);
  expect(done.status).toBe(302);
  return visitor;
}

/** Whether signing in with the password asks for a code as well. */
async function needsCode(browser: Visitor, { email, password }: { email: string; password: string }) {
  await browser.post("/auth/sign-out", {});
  const response = await browser.post("/auth", { intent: "log-in", email, password });
  expect(response.status).toBe(302);
  return response.headers.get("location") === "/auth/verify";
}

const password = "a fresh cup of tea";

test("a password reset ends the trust of all browsers", async () => {
  const { app, ada, phone, laptop } = await trustTwoBrowsers();
  await phone.post("/forgot-password", { email: ada.email });
  const [mail] = (await app.mails()).filter(({ subject }) => subject.startsWith("Set a new password"));
  await phone.post(firstLink(mail?.text), { password, confirm: password });
  for (const browser of [phone, laptop]) expect(await needsCode(browser, { email: ada.email, password })).toBe(true);
});

test("a password change ends the trust of all browsers but the one where it was made", async () => {
  const { ada, phone, laptop } = await trustTwoBrowsers();
  const change = { intent: "change-password", current: ada.password, password, confirm: password };
  expect((await phone.post("/account", change)).status).toBe(302);
  expect(await needsCode(phone, { email: ada.email, password })).toBe(false);
  expect(await needsCode(laptop, { email: ada.email, password })).toBe(true);
});

test("signing out everywhere ends the trust of all browsers, signing out all others that of the others", async () => {
  const { ada, phone, laptop } = await trustTwoBrowsers();
  await phone.post("/account/sessions", { intent: "end-others" });
  expect(await needsCode(laptop, ada)).toBe(true);
  expect(await needsCode(phone, ada)).toBe(false);
  await phone.post("/account/verify", { password: ada.password, factor: ada.codes[0] ?? "" });
  await phone.post("/account/sessions", { intent: "end-all" });
  expect(await needsCode(phone, ada)).toBe(true);
});

test("turning two-step verification off and on again ends the trust of all browsers", async () => {
  const { ada, phone, laptop } = await trustTwoBrowsers();
  await phone.post(twoStep, { intent: "turn-off" });
  const key = await startApp(phone);
  expect((await phone.post(`${twoStep}/app`, { code: codeOf(key) })).status).toBe(200);
  for (const browser of [phone, laptop]) expect(await needsCode(browser, ada)).toBe(true);
});

test("a new authenticator app ends the trust of all browsers but the one where it was set up", async () => {
  const { ada, phone, laptop } = await trustTwoBrowsers();
  const key = await startApp(phone);
  expect((await phone.post(`${twoStep}/app`, { code: codeOf(key) })).status).toBe(302);
  expect(await needsCode(laptop, ada)).toBe(true);
  expect(await needsCode(phone, ada)).toBe(false);
});

test("signing out a browser in the list ends its trust, and not that of others", async () => {
  const { app, ada, phone, laptop } = await trustTwoBrowsers();
  const list = await (await phone.get("/account/sessions")).text();
  const [, item = ""] = /Firefox on Windows([^]*?)<\/li>/.exec(list) ?? [];
  const id = /name="id" value="([^"]+)"/.exec(item)?.[1] ?? "";
  expect((await phone.post("/account/sessions", { intent: "end", id })).status).toBe(302);
  expect(await needsCode(laptop, ada)).toBe(true);
  expect(await needsCode(phone, ada)).toBe(false);
  expect(await app.services.auth.listTrustedBrowsers((await app.services.auth.findUserId(ada.email)) ?? "")).toEqual([
    expect.objectContaining({ browser: "Safari on iOS" }),
  ]);
});
