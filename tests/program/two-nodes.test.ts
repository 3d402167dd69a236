import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard } from "../support/cards.ts";
import { isMissing, makeDatabase } from "../support/databases.ts";
import { signUpAt, visitorOf } from "../support/people.ts";
import { profileForm } from "../support/profiles.ts";
import { startProgram } from "../support/program.ts";
import type { Program } from "../support/program.ts";
import { openWeakNetwork } from "../support/weak-network.ts";

async function start(env: Record<string, string>) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  return program;
}

const read = async (program: Program, path: string) => (await visitorOf(program).get(path)).text();

/** How long until the page of a node shows these words, in milliseconds. */
async function timeUntil(program: Program, path: string, words: string) {
  const started = performance.now();
  await expect.poll(() => read(program, path), { timeout: 5_000, interval: 20 }).toContain(words);
  return performance.now() - started;
}

describe.skipIf(isMissing("postgres"))("two processes on one PostgreSQL", () => {
  test("may start at the same moment on an empty database, and serve the same", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const nodes = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL, DEMO: "on" })));
    for (const node of nodes) expect(await node.isUp(), node.errors()).toBe(true);
    for (const node of nodes) {
      for (const path of ["/card/demo-card", "/u/demo-user", "/healthz"]) {
        expect((await visitorOf(node).get(path)).status).toBe(200);
      }
    }
    // People who signed in on one are strangers to another whose secret differs: that is said at the start.
    await expect
      .poll(() => nodes.filter((node) => node.output().includes("secrets.json is not the one")).length)
      .toBe(2);
  });

  test("a save on one shows on the other's page, which was in its cache, within two seconds", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const [first, second] = [await start({ DATABASE_URL }), await start({ DATABASE_URL })];
    for (const node of [first, second]) await node.isUp();
    const ada = await signUpAt(first, "ada@example.com");
    const cardId = await makeCard(ada);
    for (let version = 1; version <= 5; version++) {
      const [profile, card] = [`/u/${ada.id}`, `/card/${cardId}`];
      for (const path of [profile, card, "/card/demo-card"]) await read(second, path);
      await ada.post("/profile", profileForm({ version: String(version), bio: `Bio ${version}` }));
      expect(await timeUntil(second, profile, `Bio ${version}`)).toBeLessThan(2_000);
      expect(await timeUntil(second, card, `Bio ${version}`)).toBeLessThan(2_000);
      await ada.post(`/cards/edit/${cardId}`, {
        card_name: "Card",
        company: `Company ${version}`,
        is_public: "on",
        version: String(version),
      });
      expect(await timeUntil(second, card, `Company ${version}`)).toBeLessThan(2_000);
    }
    await ada.post(`/cards/${cardId}/delete`, {});
    await expect
      .poll(async () => (await visitorOf(second).get(`/card/${cardId}`)).status, { timeout: 2_000 })
      .toBe(404);
  });

  test("also when the one that shows it has not heard of it: it was cut off meanwhile, or notices do not get through", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const network = await openWeakNetwork(DATABASE_URL);
    onTestFinished(network.close);
    const [first, second] = [await start({ DATABASE_URL }), await start({ DATABASE_URL: network.url })];
    for (const node of [first, second]) await node.isUp();
    const ada = await signUpAt(first, "ada@example.com");
    await read(second, `/u/${ada.id}`);
    network.cut();
    await ada.post("/profile", profileForm({ version: "1", bio: "While it was away" }));
    await network.restore();
    expect(await timeUntil(second, `/u/${ada.id}`, "While it was away")).toBeLessThan(2_000);
  });
});
