import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import * as tasks from "#tests/support/fixtures/sample-tasks.ts";

import { createWorkerPool } from "./worker-pool.server.ts";
import { oncePerProcess } from "./worker-task.server.ts";

const { crash, exit, fail, fillMemory, hang, returnFunction, reverse, runOnce, thread } = tasks;
const file = new URL("../../../tests/support/fixtures/sample-worker.ts", import.meta.url);

function openPool(options: Partial<Parameters<typeof createWorkerPool>[0]> = {}) {
  const pool = createWorkerPool({ file, ...options });
  cleanUpAfterTest(pool.close);
  return pool;
}

test("returns what a task returns, bytes included, and leaves the input as it was", async () => {
  const pool = openPool();
  const input = Uint8Array.of(1, 2, 3);
  expect(await pool.run(reverse, input)).toEqual(Uint8Array.of(3, 2, 1));
  expect(input).toEqual(Uint8Array.of(1, 2, 3));
});

test("runs tasks at the same time, in two threads at most", async () => {
  const pool = openPool();
  const ids = await Promise.all(Array.from({ length: 8 }, () => pool.run(thread, 100)));
  expect(new Set(ids).size).toBe(2);
  expect(ids).not.toContain(0);
});

test("runs what holds for the process once, whatever the thread", async () => {
  const pool = openPool();
  const ran = await Promise.all([100, 100, 0, 0].map((ms) => pool.run(runOnce, ms)));
  expect(ran.filter(Boolean)).toHaveLength(1);
  let isRun = false;
  oncePerProcess("sample", () => (isRun = true));
  expect(isRun).toBe(false);
});

test("a failed task throws the task's own error, and its thread goes on", async () => {
  const pool = openPool({ maxThreads: 1 });
  const before = await pool.run(thread, 0);
  const error = await pool.run(fail, "no such font").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toHaveProperty("message", "no such font");
  await expect(pool.run(returnFunction, undefined)).rejects.toThrow("could not be cloned");
  const unknown = { name: "unknown", run: async () => undefined };
  await expect(pool.run(unknown, undefined)).rejects.toThrow('There is no worker task named "unknown".');
  expect(await pool.run(thread, 0)).toBe(before);
});

test.each([crash, exit, fillMemory])("a task fails alone when its thread dies: $name", async (task) => {
  const pool = openPool();
  const [other, failed, waiting] = await Promise.allSettled([
    pool.run(thread, 500),
    pool.run(task, undefined),
    pool.run(reverse, Uint8Array.of(1, 2)),
  ]);
  expect(failed).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining(task.name) } });
  expect([other.status, waiting]).toEqual(["fulfilled", { status: "fulfilled", value: Uint8Array.of(2, 1) }]);
});

test("a task ends after the time limit when it hangs, and the next one gets another thread", async () => {
  const pool = openPool({ maxThreads: 1, maxTaskMs: 3_000 });
  const before = await pool.run(thread, 0);
  const hanging = pool.run(hang, undefined);
  const waiting = pool.run(thread, 0);
  await expect(hanging).rejects.toThrow("hang did not finish in its worker thread");
  expect(await waiting).not.toBe(before);
});

test("refuses a task when too many are waiting", async () => {
  const pool = openPool({ maxThreads: 1, maxWaiting: 2 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => pool.run(thread, 50)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
});

test("ends a thread that has had no task for a while", async () => {
  const pool = openPool({ maxIdleMs: 20 });
  const first = await pool.run(thread, 0);
  await expect.poll(() => pool.run(thread, 0), { interval: 200 }).not.toBe(first);
});

test("ends running and waiting tasks with an error when it is closed, and accepts no more", async () => {
  const pool = openPool({ maxThreads: 1 });
  await pool.run(thread, 0);
  const tasks = Promise.allSettled([pool.run(hang, undefined), pool.run(thread, 0)]);
  await pool.close();
  expect(await tasks).toMatchObject([
    { status: "rejected", reason: { message: expect.stringContaining("hang did not finish") } },
    { status: "rejected", reason: { message: expect.stringContaining("shut down before thread") } },
  ]);
  await expect(pool.run(thread, 0)).rejects.toThrow("shut down");
});
