import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { logIn } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const env = { TRUSTED_PROXY: "127.0.0.1" };
const email = "ada@example.com";
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const home = from("192.0.2.1");

async function openSite() {
  const time = { now: Date.now() };
  const app = await createTestApp({ env, clock: () => time.now });
  const ada = await app.signedIn(email);
  const wrong = { email, password: "a wrong word" };
  const guess = async (address: string, form = wrong) => (await logIn(app.visitor(), form, from(address))).status;
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

test("fifty networks that guess don't keep out a browser that signed in before", async () => {
  const { guess, openKnown, signIn } = await openSite();
  const known = await openKnown();
  const statuses = [];
  for (let n = 0; n < 100; n++) statuses.push(await guess(`203.0.${n % 50}.7`));
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
  expect(await signIn(known)).toBe(302);
  // Not even from a network that guesses.
  await known.post("/auth/sign-out", {}, home.headers);
  expect(await signIn(known, from("203.0.0.7"))).toBe(302);
});

test("meanwhile the owner signs in from a new browser after a minute at most", async () => {
  const { visitor, guess, time, ada } = await openSite();
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

test("many networks guess once a minute each, and neighbors count as one", async () => {
  const { guess, time } = await openSite();
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

test("one network gets ten tries, however its addresses rotate inside a /64", async () => {
  const { guess } = await openSite();
  const statuses = [];
  for (let n = 0; n < 12; n++) statuses.push(await guess(`2001:db8::${n}`));
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
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

test("nothing tells an address without an account apart while it is guessed", async () => {
  const { wrong, guess } = await openSite();
  const seen = [];
  for (const address of [email, "eda@example.com"]) {
    const statuses = [];
    for (let n = 0; n < 15; n++) statuses.push(await guess(`203.0.${n}.9`, { ...wrong, email: address }));
    seen.push(statuses);
  }
  expect(seen[0]).toEqual(seen[1]);
});
