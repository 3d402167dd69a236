import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { addSetting, settingNames } from "#tests/support/storage/setting-rows.ts";

import { transact } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { maxJobTries } from "./job-rows.server.ts";
import { createJobs, deleteOldMails } from "./jobs.server.ts";
import type { JobHandler, RunningJob } from "./jobs.server.ts";

const minute = 60_000;

describeOnEachDatabase("a job", (makeDb) => {
  test("runs once with its payload at its time, and is deleted", async () => {
    const { jobs, db, done, rows, time } = await open(makeDb);
    await jobs.schedule(db, { kind: "note", payload: "later", runAt: time.now + minute });
    await jobs.enqueue(db, "note", { text: "Ada 名刺" });
    for (let n = 0; n < 2; n++) await jobs.runDue();
    time.now += minute - 1;
    await jobs.runDue();
    expect(done).toEqual([{ text: "Ada 名刺" }]);
    time.now += 1;
    await jobs.runDue();
    expect(done.slice(1)).toEqual(["later"]);
    expect(await rows()).toEqual([]);
  });

  test("that is added in a transaction exists only if that commits", async () => {
    const { jobs, done, db } = await open(makeDb);
    await transact(db, (trx) => jobs.enqueue(trx, "note", "committed"));
    const failed = transact(db, async (trx) => {
      await jobs.enqueue(trx, "note", "lost");
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    await jobs.runDue();
    expect(done).toEqual(["committed"]);
  });

  test("that fails is retried with increasing delays, and stores the error", async () => {
    const { jobs, db, rows, time, calls } = await open(makeDb, async () => {
      if (calls.count < 3) throw new Error(`no \0 answer ${calls.count}`);
    });
    await jobs.enqueue(db, "note", 1);
    const start = time.now;
    await jobs.runDue();
    const [first] = await rows();
    expect(first).toMatchObject({ tries: 1, last_error: "no  answer 1", leased_until: 0 });
    expect((first?.run_at ?? 0) - start).toBeGreaterThanOrEqual(5000);
    await jobs.runDue();
    expect(calls.count).toBe(1);

    time.now = first?.run_at ?? 0;
    await jobs.runDue();
    const [second] = await rows();
    expect((second?.run_at ?? 0) - time.now).toBeGreaterThanOrEqual(20_000);
    time.now = second?.run_at ?? 0;
    await jobs.runDue();
    expect([calls.count, await rows()]).toEqual([3, []]);
  });

  test("that fails ten times stays in the table, is logged, and is never retried", async () => {
    const { jobs, db, rows, time, calls, logged } = await open(makeDb, async () => {
      throw new Error("no such address");
    });
    await jobs.enqueue(db, "note", 1);
    for (let day = 0; day < 20; day++) {
      await jobs.runDue();
      time.now += 24 * 60 * minute;
    }
    expect(calls.count).toBe(10);
    expect(await rows()).toMatchObject([{ tries: 10, last_error: "no such address" }]);
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([{ kind: "note", tries: 10 }]);
  });

  test("with a mail that can't be delivered is deleted after 30 days, others stay", async () => {
    const { jobs, db, rows, time } = await open(makeDb);
    for (const kind of ["mail", "note", "mail"]) await jobs.enqueue(db, kind, {});
    const retried = (await rows()).find(({ kind }) => kind === "mail")?.id ?? "";
    await db.updateTable("job").set({ tries: maxJobTries }).execute();
    await db.updateTable("job").set({ tries: 9 }).where("id", "=", retried).execute();
    time.now += 30 * 24 * 60 * minute;
    await deleteOldMails({ db, clock: () => time.now });
    expect(await rows()).toHaveLength(3);
    time.now += 1;
    await deleteOldMails({ db, clock: () => time.now });
    expect((await rows()).map(({ kind, tries }) => `${kind} ${tries}`).toSorted()).toEqual(["mail 9", "note 10"]);
  });

  test("of a killed process runs in another one after the lease", async () => {
    const { jobs, done, db, time } = await open(makeDb);
    await jobs.enqueue(db, "note", 1);
    const leased_until = time.now + 2 * minute;
    await db.updateTable("job").set({ tries: 1, leased_until }).execute();
    await jobs.runDue();
    expect(done).toEqual([]);
    time.now += 2 * minute;
    await jobs.runDue();
    expect(done).toEqual([1]);
  });

  test("is finished by the transaction of its handler, and runs again when that is rolled back", async () => {
    const { jobs, db, rows, time } = await open(makeDb, (name, { finish }) =>
      transact(db, async (trx) => {
        await addSetting(trx, String(name));
        expect(await finish(trx)).toBe(true);
        if (time.now === start) throw new Error("rolled back");
      }),
    );
    const start = time.now;
    await jobs.enqueue(db, "note", "written once");
    await jobs.runDue();
    expect(await rows()).toHaveLength(1);
    time.now += minute;
    await jobs.runDue();
    expect(await rows()).toEqual([]);
    expect(await settingNames(db)).toEqual(["written once"]);
  });

  test("that another worker claimed after the lease can't be finished, and is left to that worker", async () => {
    const finished: boolean[] = [];
    const { jobs, db, rows } = await open(makeDb, async (_, { finish }) => {
      await db.updateTable("job").set({ tries: 2 }).execute();
      finished.push(await transact(db, finish));
    });
    await jobs.enqueue(db, "note", 1);
    await jobs.runDue();
    expect(finished).toEqual([false]);
    expect(await rows()).toMatchObject([{ tries: 2 }]);
  });

  test("of an unknown kind is left alone", async () => {
    const { jobs, db, rows } = await open(makeDb);
    await jobs.enqueue(db, "from-a-newer-version", 1);
    await jobs.runDue();
    expect(await rows()).toMatchObject([{ tries: 0 }]);
  });

  test("runs in only one of several processes", async () => {
    const { jobs, db, time, log, calls } = await open(makeDb, () => pause(2));
    const seen: unknown[] = [];
    const others = [1, 2].map(() =>
      createJobs({ db, log, clock: () => time.now, handlers: { note: async (n) => void seen.push(n) } }),
    );
    await Promise.all(Array.from({ length: 40 }, (_, n) => jobs.enqueue(db, "note", n)));
    await Promise.all([jobs, ...others].map((worker) => worker.runDue()));
    expect(calls.count + seen.length).toBe(40);
  });
});

describeOnEachDatabase("the worker", (makeDb) => {
  /** The worker has started, and its clock is moved by the test. */
  async function openStarted(handler?: JobHandler) {
    const opened = await open(makeDb, handler);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    opened.jobs.start();
    vi.advanceTimersByTime(0);
    return opened;
  }

  /** Unlike `expect.poll`, it doesn't move the faked clock. */
  async function waitUntil(isTrue: () => boolean) {
    for (let tries = 0; tries < 3_000 && !isTrue(); tries++) await pause(5);
    expect(isTrue()).toBe(true);
  }

  test("runs new jobs immediately, even from a transaction and while another job is slow", async () => {
    const slow = Promise.withResolvers<void>();
    const { jobs, db, done, calls } = await openStarted(async (payload) => {
      if (payload === "slow") await slow.promise;
    });
    await jobs.enqueue(db, "note", "slow");
    vi.advanceTimersByTime(0);
    await waitUntil(() => calls.count === 1);
    await transact(db, (trx) => jobs.enqueue(trx, "note", "quick"));
    // It polls every second.
    vi.advanceTimersByTime(900);
    await waitUntil(() => done.length > 0);

    const stopped = jobs.stop().then(() => done.push("stopped"));
    await nextTurn();
    expect(done).toEqual(["quick"]);
    slow.resolve();
    await stopped;
    expect(done).toEqual(["quick", "slow", "stopped"]);
  });

  test("leaves half of the workers to other jobs while slow ones wait, and runs all of them", async () => {
    const { jobs, db, done, rows, time } = await open(makeDb);
    const waiting: (() => void)[] = [];
    jobs.handle("slow", () => new Promise<void>((resolve) => waiting.push(resolve)), { isSlow: true });
    for (let n = 0; n < 15; n++) await jobs.enqueue(db, "slow", n);
    time.now++;
    await jobs.enqueue(db, "note", "quick");
    const all = jobs.runDue();
    await expect.poll(() => done, { interval: 5 }).toEqual(["quick"]);
    for (let n = 0; n < 15; n++) {
      await expect.poll(() => waiting.length, { interval: 5 }).toBeGreaterThan(0);
      expect(waiting.length).toBeLessThanOrEqual(2);
      waiting.shift()?.();
    }
    await all;
    expect(await rows()).toEqual([]);
  });

  test("doesn't start a slow job again that still runs when its lease has ended", async () => {
    const { jobs, db, done, time } = await open(makeDb);
    const started: (() => void)[] = [];
    jobs.handle("slow", () => new Promise<void>((resolve) => started.push(resolve)), { isSlow: true });
    await jobs.enqueue(db, "slow", 1);
    const all = [jobs.runDue()];
    await expect.poll(() => started.length, { interval: 5 }).toBe(1);
    time.now += 2 * minute;
    await jobs.enqueue(db, "note", "due as well");
    all.push(jobs.runDue());
    await expect.poll(() => done, { interval: 5 }).toEqual(["due as well"]);
    expect(started).toHaveLength(1);
    for (const end of started) end();
    await Promise.all(all);
  });

  test("finds jobs of another process within a second, and runs nothing after it was stopped", async () => {
    const { jobs, db, done, rows } = await openStarted();
    // The first poll has found nothing.
    expect(await rows()).toEqual([]);
    const row = { id: "from-elsewhere", kind: "note", payload: "7", run_at: 0, created_at: 0 };
    await db.insertInto("job").values(row).execute();
    vi.advanceTimersByTime(1_000);
    await waitUntil(() => done.length > 0);
    await jobs.stop();
    await jobs.enqueue(db, "note", 1);
    vi.advanceTimersByTime(5_000);
    await jobs.stop();
    expect(done).toEqual([7]);
  });
});

async function open(makeDb: () => Promise<Db>, handler: JobHandler = async () => undefined) {
  const db = await makeDb();
  const time = { now: 1_800_000_000_000 };
  const done: unknown[] = [];
  const calls = { count: 0 };
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  async function note(payload: unknown, job: RunningJob) {
    calls.count++;
    await handler(payload, job);
    done.push(payload);
  }
  const jobs = createJobs({ db, log, clock: () => time.now, handlers: { note } });
  const rows = () => db.selectFrom("job").selectAll().execute();
  return { jobs, db, done, calls, time, log, logged, rows };
}
