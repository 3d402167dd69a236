import pino from "pino";
import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { maxJobTries } from "./job-rows.server.ts";
import { createJobs } from "./jobs.server.ts";
import type { RunningJob } from "./jobs.server.ts";

const minute = 60_000;
const start = 1_800_000_000_000;

describeOnEachDatabase("a job with a key", (makeDb) => {
  /** Each run of a job does the next of these. */
  async function open(...runs: ((schedule: Schedule, job: RunningJob) => Promise<unknown>)[]) {
    const db = await makeDb();
    const time = { now: start };
    const done: unknown[] = [];
    async function note(payload: unknown, job: RunningJob) {
      await runs.shift()?.(schedule, job);
      done.push(payload);
    }
    const log = pino({ level: "silent" });
    const jobs = createJobs({ db, log, clock: () => time.now, handlers: { note } });
    const schedule: Schedule = (afterMs, payload = "", options = {}) =>
      jobs.schedule(db, { kind: "note", key: "ada", payload, runAt: time.now + afterMs, ...options });
    const pass = async (ms: number) => {
      time.now += ms;
      await jobs.runDue();
    };
    const rows = () => db.selectFrom("job").selectAll().execute();
    return { jobs, db, time, done, schedule, pass, rows };
  }
  type Schedule = (afterMs: number, payload?: string, options?: { key?: string; hurry?: boolean }) => Promise<void>;

  test("waits once, at its first time or an earlier one, until it is canceled", async () => {
    const { jobs, db, schedule, pass, done } = await open();
    await Promise.all([1, 2, 3].map(() => schedule(2 * minute, "first")));
    await schedule(minute, "second");
    await schedule(minute, "other", { key: "eve" });
    await pass(minute);
    expect(done).toEqual(["other"]);
    for (const afterMs of [0, minute]) await schedule(afterMs, "hurried", { hurry: true });
    await pass(0);
    expect(done).toEqual(["other", "hurried"]);
    await schedule(minute);
    await jobs.cancel(db, { kind: "note", key: "ada" });
    await pass(minute);
    expect(done).toHaveLength(2);
  });

  test("that is scheduled while it runs runs once more, after that", async () => {
    const { schedule, pass, done, rows } = await open(async (again) => {
      for (const payload of ["second", "third"]) await again(5_000, payload);
      await pass(6_000);
      expect(done).toEqual([]);
    });
    await schedule(0, "first");
    await pass(0);
    await pass(0);
    expect([done, await rows()]).toEqual([["first", "second"], []]);
  });

  test("runs again as a new one when its handler says so, and in the transaction that finishes it", async () => {
    const { db, schedule, pass, done, rows, jobs } = await open(
      (_, job) => job.runAgain({ runAt: start + minute, payload: "later" }),
      async (again, job) => {
        await again(0, "marked");
        await transact(db, job.finish);
        await jobs.cancel(db, { kind: "note", key: "ada" });
        await again(minute, "last");
      },
    );
    await schedule(0, "first");
    await pass(0);
    expect(await rows()).toMatchObject([{ tries: 0, leased_until: 0, payload: '"later"' }]);
    await pass(minute);
    await pass(minute);
    expect([done, await rows()]).toEqual([["first", "later", "last"], []]);
  });

  test("of a killed process is repeated after the lease, with what was scheduled since", async () => {
    const { db, schedule, pass, done, rows, time } = await open();
    await schedule(0, "first");
    await db
      .updateTable("job")
      .set({ tries: 1, leased_until: time.now + 2 * minute })
      .execute();
    await schedule(24 * 60 * minute, "second");
    await pass(minute);
    expect(done).toEqual([]);
    await pass(minute);
    expect([done, await rows()]).toEqual([["second"], []]);
  });

  test("that fails waits for its next try, whatever is scheduled, and makes room when it is given up", async () => {
    const { db, schedule, pass, done, rows } = await open(() => Promise.reject(new Error("no answer")));
    await schedule(0, "first");
    await pass(0);
    await schedule(0, "second", { hurry: true });
    await pass(0);
    expect(await rows()).toMatchObject([{ tries: 1, payload: '"first"' }]);
    await db.updateTable("job").set({ tries: maxJobTries }).execute();
    await schedule(0, "third");
    await pass(0);
    expect([done, await rows()]).toMatchObject([["third"], [{ tries: maxJobTries, payload: '"first"' }]]);
  });

  test("that fails its last try runs once more if it was scheduled meanwhile", async () => {
    const { db, schedule, pass, done } = await open(async (again) => {
      await again(0, "second");
      throw new Error("no answer");
    });
    await schedule(0, "first");
    await db
      .updateTable("job")
      .set({ tries: maxJobTries - 1 })
      .execute();
    await pass(0);
    await pass(24 * 60 * minute);
    expect(done).toEqual(["second"]);
  });
});
