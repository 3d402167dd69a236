import { expect, test } from "vitest";

import type { Feature } from "#app/services/features/feature.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { features as allFeatures } from "./features.ts";
import { runMaintenance } from "./maintenance.ts";

const start = 1_800_000_000_000;

/** An app with a task that counts rows, one that fails, and one that runs once an hour; `done` has the names of their runs. */
async function open() {
  const time = { now: start };
  const done: string[] = [];
  const limit = { name: "large table", max: 1, windowMs: 3_600_000, isExpected: true } as const;
  const feature: Feature = {
    maintenance: [
      { name: "old rows", run: async () => done.push("old rows") },
      { name: "broken", run: () => Promise.reject(new Error("No mail for ada@example.com")) },
      { name: "large table", run: async () => void done.push("large table"), limit },
    ],
  };
  const features = [feature];
  const app = await createTestApp({ features, clock: () => time.now });
  const lastOf = async (name: string, { services } = app) =>
    (await services.maintenance.list()).find((task) => task.name === name)?.last;
  return { ...app, features, time, done, lastOf, run: () => runMaintenance(features, app.services) };
}

test("the last run of each task is stored, also after a restart, and replaced by the next one", async () => {
  const { features, time, lastOf, run, ...app } = await open();
  expect(await lastOf("old rows")).toBeUndefined();
  await run();
  time.now += 60_000;
  await run();
  expect(await lastOf("old rows")).toEqual({ at: start + 60_000, ms: expect.any(Number), rows: 3 });
  const error: unknown = expect.stringMatching(/^No mail for (?!ada)/);
  expect(await lastOf("broken")).toEqual({ at: start + 60_000, ms: expect.any(Number), error });
  const restarted = await createTestApp({ features, restarted: app });
  expect(await lastOf("old rows", restarted)).toMatchObject({ rows: 3 });
});

test("a task with a limit runs once in its time, and whenever an operator runs it", async () => {
  const { services, time, done, lastOf, run } = await open();
  for (let n = 0; n < 2; n++) await run();
  expect(done).toEqual(["old rows", "large table", "old rows"]);
  time.now += 60_000;
  expect(await services.maintenance.runNow("large table")).toBe(true);
  expect(done).toHaveLength(3);
  await services.jobs.runDue();
  expect(done.slice(3)).toEqual(["large table"]);
  expect(await lastOf("large table")).toEqual({ at: start + 60_000, ms: expect.any(Number) });
  expect(await lastOf("old rows")).toMatchObject({ at: start });
});

test("a task runs once for two requests to run it, and one that fails isn't tried again as a job", async () => {
  const { services, done, lastOf } = await open();
  for (const name of ["old rows", "old rows", "broken"]) await services.maintenance.runNow(name);
  await services.jobs.runDue();
  expect(done).toEqual(["old rows"]);
  expect(await lastOf("broken")).toMatchObject({ error: expect.stringContaining("No mail") });
  expect(await services.db.selectFrom("job").select("kind").execute()).toEqual([]);
});

test("a name that no task has is refused, and one that only another version knows waits for it", async () => {
  const { services, time } = await open();
  expect(await services.maintenance.runNow("drop table")).toBe(false);
  const job = { kind: "maintenance", key: "newer", payload: "newer", runAt: time.now };
  await services.jobs.schedule(services.db, job);
  await services.jobs.runDue();
  const [row] = await services.db.selectFrom("job").select(["tries", "last_error"]).execute();
  expect(row).toEqual({ tries: 1, last_error: 'There is no maintenance task "newer" in this version.' });
});

test("the tasks of all features have names of their own", async () => {
  const { services } = await createTestApp({ features: allFeatures });
  const names = (await services.maintenance.list()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
});
