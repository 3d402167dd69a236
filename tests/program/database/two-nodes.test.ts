import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { minFormAgeMs } from "#app/features/leads/public/spam-rules.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { bearerOf } from "#tests/support/app/visitor.ts";
import { readStream } from "#tests/support/browser/event-stream.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";

async function start(env: Record<string, string>) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  return program;
}

const read = async (program: Program, path: string) => (await visitorOf(program).get(path)).text();

/** Milliseconds until a node's page shows these words. */
async function timeUntil(program: Program, path: string, words: string) {
  const started = performance.now();
  await expect.poll(() => read(program, path), { timeout: 5_000, interval: 20 }).toContain(words);
  return performance.now() - started;
}

describe.runIf(listEngines().includes("postgres"))("two processes on one PostgreSQL", () => {
  test("start at the same time on an empty database and serve the same data", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const nodes = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL, DEMO: "on" })));
    for (const node of nodes) expect(await node.isUp(), node.errors()).toBe(true);
    for (const node of nodes) {
      for (const path of ["/card/demo-card", "/u/demo-user", "/healthz"]) {
        expect((await visitorOf(node).get(path)).status).toBe(200);
      }
    }
    // A session of one node is unknown to a node with another secret; a log line at the start says so.
    await expect
      .poll(() => nodes.filter((node) => node.output().includes("secrets.json differs from the one")).length)
      .toBe(2);
  });

  test("a card that is paused on one has no pass on the other, whose cache had it", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const env = { DATABASE_URL, ...walletSettings };
    const [first, second] = [await start(env), await start(env)];
    for (const node of [first, second]) expect(await node.isUp(), node.errors()).toBe(true);
    const ada = await signUpAt(first, "ada@example.com");
    const cardId = await makeCard(ada);
    const status = async () => (await visitorOf(second).get(`/card/${cardId}/pass.pkpass`)).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    await ada.post(`/cards/${cardId}/pause`, {});
    await expect.poll(status, { timeout: 2_000, interval: 20 }).toBe(404);
    await ada.post(`/cards/${cardId}/pause`, { pause: "off" });
    await expect.poll(status, { timeout: 2_000, interval: 20 }).toBe(200);
  });

  test("a save on one shows on the other's cached page within two seconds", async () => {
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

  test("a lead on one is announced and counted on the other", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const first = await start({ DATABASE_URL });
    await first.isUp();
    // Sessions are those of the first.
    const DATA_DIR = mkdtempSync(join(tmpdir(), "meishi-second-node-"));
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }));
    copyFileSync(join(first.dataDir, "secrets.json"), join(DATA_DIR, "secrets.json"));
    const second = await start({ DATABASE_URL, DATA_DIR });
    await second.isUp();
    const ada = await signUpAt(first, "ada@example.com");
    const cardId = await makeCard(ada);
    await ada.post(`/cards/${cardId}/leads`, { is_on: "on", version: "0", months: "24" });
    const stream = readStream(await fetch(`${second.url}/events`, { headers: bearerOf(ada) }));
    onTestFinished(() => stream.cancel().catch(() => undefined));
    await stream.isOpen();
    const [grace, path] = [visitorOf(first), `/card/${cardId}/connect`];
    const form = await (await grace.get(path)).text();
    await pause(minFormAgeMs + 100);
    const [stamp, consent] = [fieldValue(form, "stamp"), fieldValue(form, "consent-answer")];
    await grace.post(path, { stamp, name: "Grace", email: "grace@example.com", "consent-answer": consent });
    expect(Object.keys((await stream.waitFor("lead.created"))?.data ?? {})).toContain("leadId");
    const counts = await fetch(`${second.url}/functions/v1/lead-counts`, { headers: bearerOf(ada) });
    expect(await counts.json()).toEqual({ unread: 1 });
  });

  test("a save also shows when the notification was missed or can't get through", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const network = await openUnreliableProxy(DATABASE_URL);
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
