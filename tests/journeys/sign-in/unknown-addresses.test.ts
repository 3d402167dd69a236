import { describe, expect, test } from "vitest";

import { withoutRandom } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { logIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

/** Of one length, so that Content-Length is the same. */
const [known, unused, unknown] = ["known@example.com", "fresh@example.com", "other@example.com"];
const password = "a wrong word for it";
const signIn = "Sign in to Meishi";
const confirm = "Confirm your email for Meishi";

type Request = (visitor: Visitor, email: string) => Promise<Response>;

/** What a stranger can send about an address, and the mails that an owner, an unconfirmed sign-up and an unknown address get. */
const requests: Record<string, { send: Request; mails?: [string[], string[], string[]] }> = {
  "a sign-in with a password": { send: (visitor, email) => logIn(visitor, { email, password }) },
  "a sign-in in the dialog": { send: (visitor, email) => visitor.post("/auth/here", { email, password }) },
  "a sign-up": {
    send: (visitor, email) => visitor.post("/auth?tab=signup", { intent: "sign-up", email, password }),
    mails: [["You already have a Meishi account"], [confirm], [confirm]],
  },
  "a link by email": { send: requestEmail, mails: [[signIn], [signIn], []] },
  "the page for the code": {
    send: afterEmail((visitor) => visitor.get("/auth/code")),
    mails: [[signIn], [signIn], []],
  },
  "a wrong code": { send: afterEmail((visitor) => guessCode(visitor)), mails: [[signIn], [signIn], []] },
  "six wrong codes": {
    send: afterEmail(async (visitor) => {
      for (let n = 0; n < 5; n++) await guessCode(visitor);
      return guessCode(visitor);
    }),
    mails: [[signIn], [signIn], []],
  },
  "another code": {
    send: afterEmail((visitor) => visitor.post("/auth/code", { intent: "resend" })),
    mails: [[signIn, signIn], [signIn, signIn], []],
  },
  "a new password by email": {
    send: (visitor, email) => visitor.post("/forgot-password", { email }),
    mails: [["Set a new password for Meishi"], ["Set a new password for Meishi"], []],
  },
  "what a passkey signs": {
    send: (visitor, email) => visitor.post("/auth/passkey", { purpose: "sign-in", email }),
  },
  "the second step without the first": {
    send: (visitor, email) => visitor.post("/auth/verify", { email, code: "123456" }),
  },
  "a made-up link": { send: (visitor, email) => visitor.post(`/auth/link?token=${"x".repeat(32)}`, { email }) },
  "a made-up passkey": {
    send: (visitor, email) => visitor.post("/auth", { intent: "passkey", email, credential: "{}" }),
  },
  "the page for a passkey": { send: (visitor, email) => visitor.get(`/auth/with-passkey?email=${email}`) },
  "a start at Google": { send: (visitor, email) => visitor.post("/auth/with/google", { email, login_hint: email }) },
};

function requestEmail(visitor: Visitor, email: string) {
  return visitor.post("/auth", { intent: "email-sign-in", email });
}

function afterEmail(send: (visitor: Visitor) => Promise<Response>): Request {
  return async (visitor, email) => {
    await requestEmail(visitor, email);
    return send(visitor);
  };
}

function guessCode(visitor: Visitor) {
  return visitor.post("/auth/code", { code: "000000" });
}

describe.each(Object.entries(requests))("the response to %s", (_name, { send, mails: expected = [[], [], []] }) => {
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
