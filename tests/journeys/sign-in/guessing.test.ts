import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";

const env = { TRUSTED_PROXY: "127.0.0.1" };
const email = "ada@example.com";
const wrong = { intent: "log-in", email, password: "a wrong word" };

async function openSite() {
  const time = { now: Date.now() };
  const app = await createTestApp({ env, clock: () => time.now });
  const ada = await app.signedIn(email);
  const right = { intent: "log-in", email, password: ada.password };
  const guess = async (address: string) =>
    (await app.visitor().post("/auth", wrong, { "x-forwarded-for": address })).status;
  return { ...app, time, right, guess };
}

const home = { "x-forwarded-for": "192.0.2.1" };

test("fifty networks that guess don't keep out a browser that signed in before", async () => {
  const { visitor, right, guess } = await openSite();
  const known = visitor();
  expect((await known.post("/auth", right, home)).status).toBe(302);
  await known.post("/auth/sign-out", {}, home);
  const statuses = [];
  for (let round = 0; round < 2; round++) for (let n = 0; n < 50; n++) statuses.push(await guess(`203.0.${n}.7`));
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
  expect((await known.post("/auth", right, home)).status).toBe(302);
  // Not even from a network that guesses.
  await known.post("/auth/sign-out", {}, home);
  expect((await known.post("/auth", right, { "x-forwarded-for": "203.0.0.7" })).status).toBe(302);
});

test("meanwhile the owner signs in from a new browser after a minute at most", async () => {
  const { visitor, right, guess, time } = await openSite();
  for (let n = 0; n < 50; n++) await guess(`203.0.${n}.7`);
  const fresh = visitor();
  const waits = await fresh.post("/auth", right, home);
  expect(waits.status).toBe(429);
  expect(await waits.text()).toContain("Try again in one minute");
  // However often the others try, and the owner, too early.
  for (let n = 0; n < 50; n++) await guess(`203.0.${n}.7`);
  for (let n = 0; n < 12; n++) expect((await fresh.post("/auth", right, home)).status).toBe(429);
  time.now += 60_000;
  for (let n = 0; n < 50; n++) await guess(`198.51.${n}.7`);
  expect((await fresh.post("/auth", right, home)).status).toBe(302);
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
  const { visitor, right, time } = await openSite();
  const [known, other] = [visitor(), visitor()];
  for (const browser of [known, other]) {
    await browser.post("/auth", right, home);
    await browser.post("/auth/sign-out", {}, home);
  }
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await known.post("/auth", wrong, home)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  expect((await other.post("/auth", right, home)).status).toBe(302);
  time.now += 15 * 60_000;
  expect((await known.post("/auth", right, home)).status).toBe(302);
});

test("a stranger's requests for sign-in emails don't use up those of a known browser", async () => {
  const { visitor, right, mails } = await openSite();
  const known = visitor();
  await known.post("/auth", right, home);
  await known.post("/auth/sign-out", {}, home);
  const request = { intent: "email-sign-in", email, password: "" };
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await visitor().post("/auth", request)).status);
  expect(statuses).toEqual([...Array<number>(5).fill(302), 429]);
  expect((await known.post("/auth", request, home)).status).toBe(302);
  expect((await mails()).filter(({ subject }) => subject === "Sign in to Meishi")).toHaveLength(6);
});

test("nothing tells an address without an account apart while it is guessed", async () => {
  const { visitor } = await openSite();
  const seen = [];
  for (const address of [email, "eda@example.com"]) {
    const statuses = [];
    for (let n = 0; n < 15; n++)
      statuses.push(
        (await visitor().post("/auth", { ...wrong, email: address }, { "x-forwarded-for": `203.0.${n}.9` })).status,
      );
    seen.push(statuses);
  }
  expect(seen[0]).toEqual(seen[1]);
});
