import { expect, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { queryPostgres } from "#tests/support/program/connections.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { runProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

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

test("the program checks itself at start, shows a gap after kill -9, and leaves the page when it is stopped", async () => {
  const first = await runProgram();
  await expect.poll(async () => (await read(first)).state).toBe("well");
  const { checks, instances } = await read(first);
  expect(checks).toMatchObject(["database", "files", "mail", "jobs"].map((name) => ({ name, state: "well" })));
  // The id of a process in its log and on the status page.
  await expect.poll(() => /"instance":"(.{8})/.exec(first.output())?.[1]).toBe(instances[0]?.id);
  expect(instances).toHaveLength(1);
  expect(await (await fetch(`${first.url}/status`)).text()).toContain("All systems operational");

  await first.kill("SIGKILL");
  // As if ten minutes had passed.
  withDatabase(first.dataDir, (database) =>
    database.exec(
      `update status_day set minutes = substr(minutes, 11) || '----------';
       update instance set checked_at = checked_at - ${10 * minute}`,
    ),
  );
  const second = await runProgram({ DATA_DIR: first.dataDir });
  await expect.poll(async () => (await read(second)).state).toBe("well");
  const { uptime, stretches, instances: left } = await read(second);
  expect(left).toHaveLength(1);
  // A minute is over, or more if others ended in the meantime.
  expect(uptime?.good).toBeGreaterThanOrEqual(1);
  expect(uptime?.gap).toBeGreaterThanOrEqual(9);
  expect((uptime?.good ?? 0) + (uptime?.gap ?? 0)).toBe(uptime?.minutes);
  expect(stretches).toMatchObject([{ kind: "gap", minutes: uptime?.gap }]);

  expect((await second.kill("SIGTERM")).code).toBe(0);
  const ids = withDatabase(second.dataDir, (database) => database.prepare("select id from instance").all());
  expect(ids.filter(({ id }) => String(id).startsWith(left[0]?.id ?? ""))).toEqual([]);
});

test.runIf(listEngines().includes("postgres"))(
  "on PostgreSQL shows two processes, drops the killed one, and counts no minute twice",
  async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres", { migrated: false });
    const [first, second] = await Promise.all([runProgram({ DATABASE_URL }), runProgram({ DATABASE_URL })]);
    for (const node of [first, second]) await expect.poll(async () => (await read(node)).instances.length).toBe(2);
    await first.kill("SIGKILL");
    await queryPostgres(DATABASE_URL, "update status_day set minutes = substr(minutes, 6) || '-----'");
    // The status is cached for five seconds.
    await expect.poll(async () => (await read(second)).uptime?.good).toBeGreaterThan(0);
    const { uptime } = await read(second);
    // Both checked in the same minute or in consecutive ones.
    expect(uptime?.good).toBeLessThanOrEqual(2);
    expect((uptime?.good ?? 0) + (uptime?.gap ?? 0)).toBe(uptime?.minutes);
    await queryPostgres(DATABASE_URL, `update instance set checked_at = checked_at - ${4 * minute}`);
    await expect.poll(async () => (await read(second)).instances).toEqual([]);
  },
);
