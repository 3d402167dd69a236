import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, readPage } from "#tests/support/app/visitor.ts";

const request = { intent: "email-sign-in", email: " Ada@Example.com ", password: "" };

/** Ada's browser, which requested an email, and what is in it. */
async function openRequest() {
  const app = await createTestApp();
  const { email } = await app.signedIn();
  const ada = app.visitor();
  const asked = await ada.post("/auth?returnTo=/pricing", request);
  expect(locationOf(asked)).toBe("/auth/code");
  return { ...app, ada, email, ...(await newestMail(app.mails)) };
}

test("the login page offers a link by email, only where mail works", async () => {
  const { visitor } = await createTestApp();
  expect(await readPage(visitor(), "/auth")).toContain("Email me a sign-in link");
  const remote = await createTestApp({ env: { BASE_URL: "https://cards.example.com", HOST: "0.0.0.0" } });
  expect(await readPage(remote.visitor(), "/auth")).not.toContain("Email me a sign-in link");
});

test("the link signs in the browser that asked, with one press, and returns to the path", async () => {
  const { visitor, ada, email, link, logLines } = await openRequest();
  expect(await readPage(ada, "/auth/code")).toContain(email);
  const opened = await ada.get(link);
  expect(await opened.text()).toContain("Sign in to Meishi");
  expect(opened.headers.get("referrer-policy")).toMatch(/no-referrer|same-origin|strict-origin/);
  // Opening it, as a mail scanner does, changes nothing.
  expect(await isSignedIn(ada)).toBe(false);
  const done = await ada.post(link, {});
  expect(locationOf(done)).toBe("/pricing");
  expect(toastIn(done)).toMatchObject({ title: "Login successful!" });
  expect(await isSignedIn(ada)).toBe(true);
  for (const again of [await visitor().get(link), await visitor().post(link, { browser: "other" })])
    expect(await again.text()).toContain("This sign-in link no longer works");
  const token = new URL(link, "http://localhost").searchParams.get("token") ?? "no token";
  expect(JSON.stringify(logLines)).not.toContain(token);
});

test("another browser says what the press does before it signs in", async () => {
  const { visitor, email, link } = await openRequest();
  const other = visitor();
  const page = await readPage(other, link);
  for (const text of ["Sign in on this browser?", email, "requested in another browser"]) expect(page).toContain(text);
  expect((await other.post(link, {})).status).toBe(410);
  expect(locationOf(await other.post(link, { browser: "other" }))).toBe("/pricing");
});

test("the code signs in on the page that asked, however it is grouped, and isn't logged", async () => {
  const { ada, code, logLines } = await openRequest();
  const short = await ada.post("/auth/code", { code: "12" });
  expect([short.status, await short.text()]).toEqual([400, expect.stringContaining("Enter the 6-digit code")]);
  const done = await ada.post("/auth/code", { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
  expect(locationOf(done)).toBe("/pricing");
  expect(await isSignedIn(ada)).toBe(true);
  expect(JSON.stringify(logLines)).not.toContain(`"${code}"`);
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
  expect([last.status, await last.text()]).toEqual([429, expect.stringContaining("Too many wrong codes")]);
  expect((await mails()).filter(({ to }) => to === email)).toHaveLength(5);
});

test("another email can be sent from the page of the code, five an hour", async () => {
  const { visitor, ada, mails, code: first } = await openRequest();
  expect(await (await ada.post("/auth/code", { intent: "resend" })).text()).toContain("Email sent!");
  for (let n = 0; n < 3; n++) await ada.post("/auth/code", { intent: "resend" });
  const refused = await ada.post("/auth/code", { intent: "resend" });
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("Too many requests")]);
  expect((await visitor().post("/auth", request)).status).toBe(429);
  const { code } = await newestMail(mails);
  expect(code === first).toBe(false);
  expect(locationOf(await ada.post("/auth/code", { code }))).toBe("/pricing");
});

test("the page of the code needs a request of this browser", async () => {
  const { visitor } = await createTestApp();
  expect(await readPage(visitor(), "/auth/code")).toContain("Your code has expired");
  const forms: Record<string, string>[] = [{ code: "123456" }, { intent: "resend" }];
  for (const form of forms) {
    const response = await visitor().post("/auth/code", form);
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining("Your code has expired")]);
  }
});

test("an invalid address is rejected beside its field, without asking for a password", async () => {
  const { visitor, mails } = await createTestApp();
  const response = await visitor().post("/auth", { ...request, email: "ada at example.com" });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain("Enter a valid email address");
  expect(fieldValue(page, "email")).toBe("ada at example.com");
  expect(page).not.toContain("Enter your password.");
  expect(await mails()).toEqual([]);
});

async function newestMail(mails: TestApp["mails"]): Promise<{ link: string; code: string }> {
  const mail = (await mails()).find(({ subject }) => subject === "Sign in to Meishi");
  return { link: firstLink(mail?.text), code: /^\d{6}$/m.exec(mail?.text ?? "")?.[0] ?? "" };
}
