import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { firstLink } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { logIn } from "#tests/support/app/visitor.ts";

const wrong = { email: "ada@example.com", password: "a wrong word" };

test("ten wrong passwords in a row block an account for a while, and the form keeps the address", async () => {
  const time = { now: Date.now() };
  const { visitor, signedIn } = await createTestApp({ clock: () => time.now });
  const ada = await signedIn();
  for (let n = 0; n < 10; n++) expect((await logIn(visitor(), wrong)).status).toBe(400);
  for (const form of [wrong, ada]) {
    const refused = await logIn(visitor(), form);
    expect(refused.status).toBe(429);
    const page = await refused.text();
    for (const text of ["Too many attempts", "Try again in 15 minutes"]) expect(page).toContain(text);
    expect(fieldValue(page, "email")).toBe("ada@example.com");
  }
  time.now += 15 * 60_000;
  // The correct password resets the count.
  for (let round = 0; round < 3; round++) {
    expect((await logIn(visitor(), ada)).status).toBe(302);
    for (let n = 0; n < 9; n++) expect((await logIn(visitor(), wrong)).status).toBe(400);
  }
});

test("of fifty concurrent attempts ten passwords are checked", async () => {
  const { visitor, signedIn } = await createTestApp();
  await signedIn();
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await logIn(visitor(), wrong)).status));
  expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(400), ...Array<number>(40).fill(429)]);
});

test("thirty wrong passwords for many accounts block a network, but not others", async () => {
  const { visitor } = await createTestApp({ env: { TRUSTED_PROXY: "127.0.0.1" } });
  const tryFrom = async (address: string, n: number) =>
    (await logIn(visitor(), { ...wrong, email: `p${n}@example.com` }, { headers: { "x-forwarded-for": address } }))
      .status;
  for (let n = 0; n < 30; n++) expect(await tryFrom(`2001:db8::${n}`, n)).toBe(400);
  expect(await tryFrom("2001:db8::ffff", 31)).toBe(429);
  expect(await tryFrom("2001:db8:0:1::1", 31)).toBe(400);
  expect(await tryFrom("203.0.113.7", 31)).toBe(400);
});

test("an address gets five mails and five reset mails an hour, with or without an account", async () => {
  const { visitor, signedUp, mails } = await createTestApp();
  await signedUp("known@example.com");
  for (const email of ["known@example.com", "unknown@example.com"]) {
    const before = (await mails()).length;
    const signUp = { intent: "sign-up", email, password: "one long word" };
    const statuses = [];
    for (let n = 0; n < 7; n++) statuses.push((await visitor().post("/auth?tab=signup", signUp)).status);
    // The sign-up used one of the five.
    const allowed = email === "known@example.com" ? 4 : 5;
    expect(statuses).toEqual([...Array<number>(allowed).fill(200), ...Array<number>(7 - allowed).fill(429)]);
    const refused = await (await visitor().post("/auth?tab=signup", signUp)).text();
    expect(refused).toContain("Try again in 60 minutes");
    expect(fieldValue(refused, "email")).toBe(email);
    const resets = [];
    for (let n = 0; n < 7; n++) resets.push((await visitor().post("/forgot-password", { email })).status);
    expect(resets).toEqual([...Array<number>(5).fill(200), 429, 429]);
    expect((await mails()).length - before).toBeLessThanOrEqual(10);
  }
});

test("a password reset lifts the block of the account", async () => {
  const { visitor, signedIn, mails } = await createTestApp();
  const { email } = await signedIn();
  for (let n = 0; n < 5; n++)
    await visitor().post("/auth?tab=signup", { intent: "sign-up", email, password: "a stranger's word" });
  for (let n = 0; n < 12; n++) await logIn(visitor(), wrong);
  await visitor().post("/forgot-password", { email });
  const password = "another long word";
  await visitor().post(firstLink((await mails("Set a new password"))[0]?.text), { password, confirm: password });
  expect((await logIn(visitor(), { email, password })).status).toBe(302);
});

test("sixty refused sign-ups from a network are checked, not more: each takes a thread's time", async () => {
  const { visitor } = await createTestApp();
  const form = { intent: "sign-up", email: "new@example.com", password: "password" };
  const send = async () => (await visitor().post("/auth", form)).status;
  const statuses = await Promise.all(Array.from({ length: 70 }, send));
  expect(statuses.toSorted()).toEqual([...Array<number>(60).fill(400), ...Array<number>(10).fill(429)]);
});
