import { expect, test } from "vitest";

import { firstLink, toastIn, withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const request = { intent: "email-sign-in", email: " Ada@Example.com ", password: "" };

test("the login page offers a link by email, only where mail works", async () => {
  const { visitor } = await createTestApp();
  expect(await (await visitor().get("/auth")).text()).toContain("Email me a sign-in link");
  const remote = await createTestApp({ env: { BASE_URL: "https://cards.example.com", HOST: "0.0.0.0" } });
  expect(await (await remote.visitor().get("/auth")).text()).not.toContain("Email me a sign-in link");
});

test("the link signs in the browser that asked, with one press, and returns to the path", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  const { email } = await signedIn();
  const ada = visitor();
  const asked = await ada.post("/auth?returnTo=/pricing", request);
  expect(asked.headers.get("location")).toBe("/auth/code");
  expect(await (await ada.get("/auth/code")).text()).toContain(email);
  const { link } = await newestMail(mails);
  expect(await (await ada.get(link)).text()).toContain("Sign in to Meishi");
  // Opening it, as a mail scanner does, changes nothing.
  expect((await ada.get("/profile")).headers.get("location")).toContain("/auth");
  const done = await ada.post(link, {});
  expect(done.headers.get("location")).toBe("/pricing");
  expect(toastIn(done)).toMatchObject({ title: "Login successful!" });
  expect((await ada.get("/profile")).status).toBe(200);
  for (const again of [await visitor().get(link), await visitor().post(link, { browser: "other" })])
    expect(await again.text()).toContain("This sign-in link no longer works");
});

test("another browser says what the press does before it signs in", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  const { email } = await signedIn();
  await visitor().post("/auth", request);
  const { link } = await newestMail(mails);
  const other = visitor();
  const page = await (await other.get(link)).text();
  for (const text of ["Sign in on this browser?", email, "requested in another browser"]) expect(page).toContain(text);
  expect((await other.post(link, {})).status).toBe(410);
  expect((await other.post(link, { browser: "other" })).headers.get("location")).toBe("/profile");
});

test("the code signs in on the page that asked, however it is grouped", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn();
  const ada = visitor();
  await ada.post("/auth", request);
  const { code } = await newestMail(mails);
  const empty = await ada.post("/auth/code", { code: "12" });
  expect(empty.status).toBe(400);
  expect(await empty.text()).toContain("Enter the 6-digit code");
  const done = await ada.post("/auth/code", { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
  expect(done.headers.get("location")).toBe("/profile");
  expect((await ada.get("/profile")).status).toBe(200);
});

test("nothing reveals whether an address has an account", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn("ada@example.com");
  const seen = [];
  for (const email of ["ada@example.com", "eda@example.com"]) {
    const browser = visitor();
    const asked = await browser.post("/auth", { ...request, email });
    const page = await browser.get("/auth/code");
    const wrong = [];
    for (let n = 0; n < 6; n++) wrong.push(await browser.post("/auth/code", { code: "000000" }));
    const texts = await Promise.all([asked, page, ...wrong].map(async (response) => response.text()));
    const cookies = asked.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ""));
    const statuses = [asked, page, ...wrong].map(({ status }) => status);
    seen.push({ texts: texts.map((text) => withoutRandom(text).replaceAll("eda@", "ada@")), statuses, cookies });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.statuses).toEqual([302, 200, 400, 400, 400, 400, 400, 429]);
  expect((await mails()).filter(({ to }) => to === "eda@example.com")).toEqual([]);
});

test("a code takes five guesses, from all networks together", async () => {
  const { visitor, signedIn, mails } = await createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1" } });
  const { email } = await signedIn();
  const stranger = visitor();
  const statuses = [];
  for (let n = 0; n < 50; n++) {
    const from = { "x-forwarded-for": `203.0.${n}.7` };
    if (n % 10 === 0) await stranger.post("/auth", request, from);
    const { code } = await newestMail(mails);
    const guess = code === "111111" ? "222222" : "111111";
    statuses.push((await stranger.post("/auth/code", { code: guess }, from)).status);
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(25);
  const { code } = await newestMail(mails);
  // Not even the right one.
  const last = await stranger.post("/auth/code", { code });
  expect(last.status).toBe(429);
  expect(await last.text()).toContain("Too many wrong codes");
  expect((await mails()).filter(({ to }) => to === email)).toHaveLength(5);
});

test("another email can be sent from the page of the code, five an hour", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  await signedIn();
  const ada = visitor();
  await ada.post("/auth", request);
  const first = await newestMail(mails);
  const again = await ada.post("/auth/code", { intent: "resend" });
  expect(await again.text()).toContain("Email sent!");
  for (let n = 0; n < 3; n++) await ada.post("/auth/code", { intent: "resend" });
  const refused = await ada.post("/auth/code", { intent: "resend" });
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain("Too many requests");
  expect((await visitor().post("/auth", request)).status).toBe(429);
  const { code } = await newestMail(mails);
  expect(code === first.code).toBe(false);
  expect((await ada.post("/auth/code", { code })).headers.get("location")).toBe("/profile");
});

test("the page of the code needs a request of this browser", async () => {
  const { visitor } = await createTestApp();
  expect(await (await visitor().get("/auth/code")).text()).toContain("Your code has expired");
  for (const [field, value] of [
    ["code", "123456"],
    ["intent", "resend"],
  ] as const) {
    const response = await visitor().post("/auth/code", [[field, value]]);
    expect(response.status).toBe(410);
    expect(await response.text()).toContain("Your code has expired");
  }
});

test("an invalid address is rejected beside its field, without asking for a password", async () => {
  const { visitor, mails } = await createTestApp();
  const response = await visitor().post("/auth", { ...request, email: "ada at example.com" });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain("Enter a valid email address");
  expect(page).toContain('value="ada at example.com"');
  expect(page).not.toContain("Enter your password.");
  expect(await mails()).toEqual([]);
});

test("neither the token nor the code is logged", async () => {
  const { visitor, signedIn, mails, logLines } = await createTestApp();
  await signedIn();
  const ada = visitor();
  await ada.post("/auth", request);
  const { link, code } = await newestMail(mails);
  const opened = await ada.get(link);
  expect(opened.headers.get("referrer-policy")).toMatch(/no-referrer|same-origin|strict-origin/);
  await ada.post("/auth/code", { code });
  const token = new URL(link, "http://localhost").searchParams.get("token") ?? "no token";
  const log = JSON.stringify(logLines);
  expect(log).not.toContain(token);
  expect(log).not.toContain(`"${code}"`);
});

async function newestMail(mails: TestApp["mails"]): Promise<{ link: string; code: string }> {
  const mail = (await mails()).find(({ subject }) => subject === "Sign in to Meishi");
  return { link: firstLink(mail?.text), code: /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "" };
}
