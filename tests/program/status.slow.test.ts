import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";

const minute = 60_000;

type StatusDocument = {
  state: string;
  checks: { name: string; state: string }[];
  instances: { id: string }[];
  uptime: { minutes: number; good: number; failing: number; gap: number } | null;
  stretches: { kind: string; minutes: number; checks: string[] }[];
};

async function read({ url }: Program): Promise<StatusDocument> {
  return (await (await fetch(`${url}/status.json`)).json()) as StatusDocument;
}

/** The id of a process in its log and on the status page. */
function idIn(program: Program): string {
  return /"instance":"(.{8})/.exec(program.output())?.[1] ?? "";
}

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  expect(await program.isUp(), program.errors()).toBe(true);
  return program;
}

const stateOf = (program: Program) => expect.poll(async () => (await read(program)).state);

describe("the built program", () => {
  test("checks itself at start and finds everything well", async () => {
    const program = await start();
    await stateOf(program).toBe("well");
    const { checks, instances } = await read(program);
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ["database", "well"],
      ["files", "well"],
      ["mail", "well"],
      ["jobs", "well"],
    ]);
    expect(instances).toHaveLength(1);
    expect(idIn(program)).toBe(instances[0]?.id);
    expect(await (await fetch(`${program.url}/status`)).text()).toContain("All systems operational");
  });

  test("killed and restarted ten minutes later shows a gap", async () => {
    const first = await start();
    await stateOf(first).toBe("well");
    await first.kill("SIGKILL");
    // As if ten minutes had passed.
    const database = new DatabaseSync(join(first.dataDir, "meishi.db"));
    database.exec(
      `update heartbeat set minute = minute - 10, looked_at = looked_at - ${10 * minute};
       update instance set seen_at = seen_at - ${10 * minute}`,
    );
    database.close();
    const second = await start({ DATA_DIR: first.dataDir });
    await stateOf(second).toBe("well");
    const { uptime, stretches, instances } = await read(second);
    expect(instances).toHaveLength(1);
    // One minute is over, or two if another one ended in the meantime.
    expect([1, 2]).toContain(uptime?.good);
    expect(uptime?.gap).toBeGreaterThanOrEqual(9);
    expect((uptime?.good ?? 0) + (uptime?.gap ?? 0)).toBe(uptime?.minutes);
    expect(stretches).toMatchObject([{ kind: "gap", minutes: uptime?.gap }]);
  });

  test("removes itself from the page when it is stopped", async () => {
    const program = await start();
    await stateOf(program).toBe("well");
    expect((await program.kill("SIGTERM")).code).toBe(0);
    const database = new DatabaseSync(join(program.dataDir, "meishi.db"));
    onTestFinished(() => database.close());
    expect(database.prepare("select count(*) as n from instance").get()).toEqual({ n: 0 });
    // More than one if a minute ended in the meantime.
    expect(database.prepare("select count(*) as n from heartbeat").get()?.["n"]).toBeGreaterThanOrEqual(1);
  });
});

describe.runIf(listEngines().includes("postgres"))("on PostgreSQL", () => {
  test("shows two processes, drops the killed one, and counts no minute twice", async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const [first, second] = await Promise.all([start({ DATABASE_URL }), start({ DATABASE_URL })]);
    for (const node of [first, second]) {
      await expect.poll(async () => (await read(node)).instances.length).toBe(2);
    }
    await first.kill("SIGKILL");
    await change(DATABASE_URL, "update heartbeat set minute = minute - 5");
    // The status is cached for five seconds.
    await expect.poll(async () => (await read(second)).uptime?.good).toBeGreaterThan(0);
    const { uptime } = await read(second);
    // Both checked in the same minute or in consecutive ones.
    expect(uptime?.good).toBeLessThanOrEqual(2);
    expect((uptime?.good ?? 0) + (uptime?.gap ?? 0)).toBe(uptime?.minutes);
    await change(DATABASE_URL, `update instance set seen_at = seen_at - ${4 * minute}`);
    await expect.poll(async () => (await read(second)).instances).toEqual([]);
  });

  test("reports a database outage in words and recovers from it", async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const network = await openUnreliableProxy(databaseUrl);
    onTestFinished(network.close);
    const program = await start({ DATABASE_URL: network.url });
    await stateOf(program).toBe("well");
    network.cut();
    // The status is cached for five seconds; the page of this theme isn't cached yet.
    await expect.poll(async () => (await fetch(`${program.url}/status.json`)).status).toBe(503);
    const page = await fetch(`${program.url}/status`, { headers: { cookie: "theme=light" } });
    expect(page.status).toBe(503);
    const html = await page.text();
    expect(html).toContain("Status unavailable</h1>");
    expect(html).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres/i);
    network.silence(true);
    await network.restore();
    const began = performance.now();
    expect((await fetch(`${program.url}/status.json`)).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(5_000);
    network.silence(false);
    await stateOf(program).toBe("well");
    expect((await program.kill("SIGTERM")).code).toBe(0);
    expect(program.errors()).toBe("");
  });
});

async function change(databaseUrl: string, statement: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
