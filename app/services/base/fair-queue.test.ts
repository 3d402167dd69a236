import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { createFairQueue } from "./fair-queue.ts";

/** A task that runs until `finish` is called. */
function openTask() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, finish: () => resolve("done") };
}

test("serves the other owners before the second task of the same owner", async () => {
  const runInQueue = createFairQueue({ concurrency: 1 });
  const order: string[] = [];
  const first = openTask();
  const owners: Record<string, string> = { a: "ada", b: "bo", c: "cy" };
  const all = [
    runInQueue("ada", first.run),
    ...["a1", "a2", "a3", "b1", "b2", "c1"].map((name) =>
      runInQueue(owners[name[0] ?? ""] ?? "", async () => {
        order.push(name);
        await pause(1);
        order.push(name);
      }),
    ),
  ];
  first.finish();
  await Promise.all(all);
  // One at a time, and those of one owner in order.
  expect(order).toEqual(["b1", "b1", "c1", "c1", "a1", "a1", "b2", "b2", "a2", "a2", "a3", "a3"]);
});

test("answers busy for a task that waited too long, and does not run it later", async () => {
  const runInQueue = createFairQueue({ concurrency: 1, maxWaitMs: 20 });
  const first = openTask();
  const running = runInQueue("ada", first.run);
  let isRun = false;
  expect(await runInQueue("bo", async () => (isRun = true))).toBe("busy");
  first.finish();
  expect(await running).toBe("done");
  expect(await runInQueue("cy", async () => "next")).toBe("next");
  expect(isRun).toBe(false);
  // A task that has started may run longer.
  expect(await runInQueue("ada", () => pause(40, "done"))).toBe("done");
});

test("answers busy when too many tasks are waiting, in total or of one owner", async () => {
  const runInQueue = createFairQueue({ concurrency: 2, maxWaiting: 3, maxWaitingPerOwner: 2 });
  const tasks = Array.from({ length: 2 }, openTask);
  const running = tasks.map(({ run }) => runInQueue("ada", run));
  const waiting = ["ada", "ada", "ada", "bo", "bo"].map((owner) => runInQueue(owner, async () => "done"));
  tasks.forEach(({ finish }) => finish());
  await Promise.all(running);
  expect(await Promise.all(waiting)).toEqual(["done", "done", "busy", "done", "busy"]);
});

test("passes an error on and goes on with the next task", async () => {
  const runInQueue = createFairQueue({ concurrency: 1 });
  const failed = runInQueue("ada", () => Promise.reject(new Error("no ink")));
  const next = runInQueue("ada", async () => "next");
  await expect(failed).rejects.toThrow("no ink");
  expect(await next).toBe("next");
});
