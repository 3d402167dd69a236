import { describe, expect, test } from "vitest";

import { withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

/** Of one length, so that Content-Length is the same. */
const [known, unused, unknown] = ["known@example.com", "fresh@example.com", "other@example.com"];
const password = "a wrong word for it";
const account = "You already have a Meishi account";
const signIn = "Sign in to Meishi";
const newPassword = "Set a new password for Meishi";
const confirm = "Confirm your email for Meishi";

type Request = (visitor: Visitor, email: string) => Promise<Response>;

const post =
  (path: string, form: Record<string, string> = {}): Request =>
  (visitor, email) =>
    visitor.post(path, { ...form, email });
const requestEmail = post("/auth", { intent: "email-sign-in" });
const guessCode = post("/auth/code", { code: "000000" });
const inTurn =
  (...requests: [Request, ...Request[]]): Request =>
  async (visitor, email) => {
    const [first, ...others] = requests;
    let response = await first(visitor, email);
    for (const send of others) response = await send(visitor, email);
    return response;
  };

/** The mails that an owner, an unconfirmed sign-up and an unknown address get. */
type Mails = [string[], string[], string[]];
const oneEmail: Mails = [[signIn], [signIn], []];

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
  ["a start at Google", (visitor, email) => post("/auth/with/google", { login_hint: email })(visitor, email)],
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
      answers.push(await describeResponse(await send(app.visitor(), email), email));
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
    // Nonces, states and challenges.
    return shared.replaceAll(/[\w-]{20,}=*/g, "(random)");
  };
  const headers = [...response.headers].filter(([name]) => !["date", "set-cookie", "x-request-id"].includes(name));
  return {
    status: response.status,
    headers: headers.map(([name, value]) => `${name}: ${clean(value)}`),
    cookies: response.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, "=(value)")),
    text: clean(await response.text()),
  };
}
