import { describe, expect, test } from "vitest";

import { clientKey } from "#app/services/client-api/client-route.server.ts";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, logIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { blockUser } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

const email = "ada@example.com";
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const home = from("192.0.2.1");
/** The sign-in page, and what an app calls. */
const kinds = ["page", "app"] as const;

/** `key`: the public one of apps. */
type AppHeaders = { key: string; headers?: Record<string, string> };

/** A call of an app with the public key. */
const callAuth =
  (path: string, form: Record<string, unknown>) =>
  (visitor: Pick<Visitor, "request">, email: string, { key, headers = {} }: AppHeaders) =>
    visitor.request(`/auth/v1/${path}`, {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json", ...headers },
      body: JSON.stringify({ ...form, email }),
    });

async function openSite(way: "page" | "app" = "page") {
  const time = { now: Date.now() };
  const app = await createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1" }, clock: () => time.now });
  const ada = await app.signedIn(email);
  const wrong = { email, password: "a wrong word" };
  const ways = {
    page: (form: typeof wrong, at: typeof home) => logIn(app.visitor(), form, at),
    app: (form: typeof wrong, at: typeof home) =>
      callAuth("token?grant_type=password", form)(app.visitor(), form.email, { key: clientKey(app.services), ...at }),
  };
  const guess = async (address: string, form = wrong) => (await ways[way](form, from(address))).status;
  /** A browser of Ada that signed in before. */
  const openKnown = async () => {
    const known = app.visitor();
    expect((await logIn(known, ada, home)).status).toBe(302);
    await known.post("/auth/sign-out", {}, home.headers);
    return known;
  };
  const signIn = async (browser: Visitor, at = home) => (await logIn(browser, ada, at)).status;
  return { ...app, ada, time, wrong, guess, openKnown, signIn };
}

test.each(kinds)("fifty networks that guess on the %s don't keep out a browser that signed in before", async (way) => {
  const { guess, openKnown, signIn } = await openSite(way);
  const known = await openKnown();
  const statuses = [];
  for (let n = 0; n < 100; n++) statuses.push(await guess(`203.0.${n % 50}.7`));
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
  expect(await signIn(known)).toBe(302);
  // Not even from a network that guesses.
  await known.post("/auth/sign-out", {}, home.headers);
  expect(await signIn(known, from("203.0.0.7"))).toBe(302);
});

test.each(kinds)("meanwhile (%s) the owner signs in from a new browser after a minute at most", async (way) => {
  const { visitor, guess, time, ada } = await openSite(way);
  for (let n = 0; n < 50; n++) await guess(`203.0.${n}.7`);
  const fresh = visitor();
  const waits = await logIn(fresh, ada, home);
  expect([waits.status, await waits.text()]).toEqual([429, expect.stringContaining("Try again in one minute")]);
  // However often the others try, and the owner, too early.
  for (let n = 0; n < 50; n++) await guess(`203.0.${n}.7`);
  for (let n = 0; n < 12; n++) expect((await logIn(fresh, ada, home)).status).toBe(429);
  time.now += 60_000;
  for (let n = 0; n < 50; n++) await guess(`198.51.${n}.7`);
  expect((await logIn(fresh, ada, home)).status).toBe(302);
});

test.each(kinds)("many networks guess on the %s once a minute each, and neighbors count as one", async (way) => {
  const { guess, time } = await openSite(way);
  const round = async () => {
    const statuses = [];
    for (let n = 0; n < 6; n++)
      for (const address of [`203.0.${n}.7`, `203.0.${n}.8`, `2001:db8:${n}:1::1`, `2001:db8:${n}:2::1`])
        statuses.push(await guess(address));
    return statuses.filter((status) => status === 400).length;
  };
  expect(await round()).toBe(10);
  for (let n = 0; n < 2; n++) await round();
  time.now += 59_000;
  const early = await round();
  time.now += 60_000;
  expect(await round()).toBe(12);
  expect(early).toBeLessThanOrEqual(12);
});

test("a known browser has ten tries as well, and the owner's other browsers have theirs", async () => {
  const { openKnown, wrong, signIn, time } = await openSite();
  const [known, other] = [await openKnown(), await openKnown()];
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await logIn(known, wrong, home)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  expect(await signIn(other)).toBe(302);
  time.now += 15 * 60_000;
  expect(await signIn(known)).toBe(302);
});

test("a stranger's requests for sign-in emails don't use up those of a known browser", async () => {
  const { visitor, openKnown, mails } = await openSite();
  const known = await openKnown();
  const request = { intent: "email-sign-in", email, password: "" };
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await visitor().post("/auth", request)).status);
  expect(statuses).toEqual([...Array<number>(5).fill(302), 429]);
  expect((await known.post("/auth", request, home.headers)).status).toBe(302);
  expect((await mails()).filter(({ subject }) => subject === "Sign in to Meishi")).toHaveLength(6);
});

test.each(kinds)("nothing tells an address without an account apart while it is guessed on the %s", async (way) => {
  const { wrong, guess } = await openSite(way);
  const seen = [];
  for (const address of [email, "eda@example.com"]) {
    const statuses = [];
    for (let n = 0; n < 15; n++) statuses.push(await guess(`203.0.${n}.9`, { ...wrong, email: address }));
    seen.push(statuses);
  }
  expect(seen[0]).toEqual(seen[1]);
});

/** Of one length, so that Content-Length is the same. */
const [known, unused, unknown] = ["known@example.com", "fresh@example.com", "other@example.com"];
const password = "a wrong word for it";
const account = "You already have a Meishi account";
const signIn = "Sign in to Meishi";
const newPassword = "Set a new password for Meishi";
const confirm = "Confirm your email for Meishi";

type Request = (visitor: Visitor, email: string, app: AppHeaders) => Promise<Response>;

const post =
  (path: string, form: Record<string, string> = {}): Request =>
  (visitor, email) =>
    visitor.post(path, { ...form, email });
const requestEmail = post("/auth", { intent: "email-sign-in" });
const guessCode = post("/auth/code", { code: "000000" });
const inTurn =
  (...requests: [Request, ...Request[]]): Request =>
  async (visitor, email, app) => {
    const [first, ...others] = requests;
    let response = await first(visitor, email, app);
    for (const send of others) response = await send(visitor, email, app);
    return response;
  };

/** The mails that an owner, an unconfirmed sign-up and an unknown address get. */
type Mails = [string[], string[], string[]];
const oneEmail: Mails = [[signIn], [signIn], []];

const sixWrongCodes: [Request, ...Request[]] = [
  callAuth("otp", {}),
  ...Array<Request>(6).fill(callAuth("verify", { type: "email", token: "000000" })),
];

/** What a stranger can send about an address. */
const requests: [string, Request, Mails?][] = [
  ["a sign-in with a password", post("/auth", { intent: "log-in", password })],
  ["a sign-in in the dialog", post("/auth/here", { password })],
  ["a sign-up", post("/auth?tab=signup", { intent: "sign-up", password }), [[account], [confirm], [confirm]]],
  ["a link by email", requestEmail, oneEmail],
  ["the page for the code", inTurn(requestEmail, (visitor) => visitor.get("/auth/code")), oneEmail],
  ["a wrong code", inTurn(requestEmail, guessCode), oneEmail],
  ["six wrong codes", inTurn(requestEmail, ...Array<Request>(6).fill(guessCode)), oneEmail],
  [
    "another code",
    inTurn(requestEmail, post("/auth/code", { intent: "resend" })),
    [[signIn, signIn], [signIn, signIn], []],
  ],
  ["a new password by email", post("/forgot-password"), [[newPassword], [newPassword], []]],
  ["what a passkey signs", post("/auth/passkey", { purpose: "sign-in" })],
  ["the second step without the first", post("/auth/verify", { code: "123456" })],
  ["a made-up link", post(`/auth/link?token=${"x".repeat(32)}`)],
  ["a made-up passkey", post("/auth", { intent: "passkey", credential: "{}" })],
  ["the page for a passkey", (visitor, email) => visitor.get(`/auth/with-passkey?email=${email}`)],
  ["a start at Google", (visitor, email, app) => post("/auth/with/google", { login_hint: email })(visitor, email, app)],
  ["a sign-in of an app", callAuth("token?grant_type=password", { password })],
  ["a sign-up of an app", callAuth("signup", { password }), [[account], [confirm], [confirm]]],
  [
    "a sign-up of an app that is sent again",
    inTurn(callAuth("signup", { password }), callAuth("resend", { type: "signup" })),
    [[account], [confirm, confirm], [confirm, confirm]],
  ],
  ["a mail to sign in to an app", callAuth("otp", {}), oneEmail],
  ["a new password of an app", callAuth("recover", {}), [[newPassword], [newPassword], []]],
  ["six wrong codes of an app", inTurn(...sixWrongCodes), oneEmail],
];

describe.each(requests)("the response to %s", (_name, send, expected = [[], [], []]) => {
  test("is the same for an account, an unconfirmed sign-up and an unknown address, up to the mail", async () => {
    const app = await createTestApp({ env: { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" } });
    await app.signedIn(known);
    await app.visitor().post("/auth?tab=signup", { intent: "sign-up", email: unused, password: "tea with Charles" });
    const answers = [];
    const subjects = [];
    for (const email of [known, unused, unknown]) {
      const before = (await app.mails()).length;
      answers.push(await describeResponse(await send(app.visitor(), email, { key: clientKey(app.services) }), email));
      const mails = await app.mails();
      subjects.push(mails.slice(0, mails.length - before).map(({ subject }) => subject));
      expect(mails.slice(0, mails.length - before).every(({ to }) => to === email)).toBe(true);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(subjects).toEqual(expected);
  });
});

/** All of a response but the address, and what is random in each. */
async function describeResponse(response: Response, email: string) {
  const spellings = [email, encodeURIComponent(email)];
  const clean = (text: string) => {
    const shared = spellings.reduce((all, spelling) => all.replaceAll(spelling, "(address)"), withoutRandom(text));
    // Times, and nonces, states and challenges.
    return shared.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "(time)").replaceAll(/[\w-]{20,}=*/g, "(random)");
  };
  const headers = [...response.headers].filter(([name]) => !["date", "set-cookie", "x-request-id"].includes(name));
  return {
    status: response.status,
    headers: headers.map(([name, value]) => `${name}: ${clean(value)}`),
    cookies: response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, "=(value)")),
    text: clean(await response.text()),
  };
}

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
    const link = firstLink((await app.mails("Sign in to Meishi"))[0]?.text);
    await app.visitor().post("/forgot-password", { email: ada.email });
    const reset = firstLink((await app.mails("Set a new password"))[0]?.text);
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
