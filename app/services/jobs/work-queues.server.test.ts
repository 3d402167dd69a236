import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { createJobs } from "./jobs.server.ts";

/** Unlike `expect.poll`, it doesn't move the faked clock. */
async function waitUntil(isTrue: () => boolean) {
  while (!isTrue()) await pause(5);
}

describeOnEachDatabase("a queue beside the jobs", (makeDb) => {
  /** Jobs, and a queue that claims two of `due` at most, polled by the faked clock. A piece of work ends when the test calls what is in `held`. */
  async function open(note: (payload: unknown) => Promise<void>) {
    const db = await makeDb();
    const logged: Record<string, unknown>[] = [];
    const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const jobs = createJobs({ db, log, clock: () => 1, handlers: { note } });
    const due: string[] = [];
    const started: string[] = [];
    const held: (() => void)[] = [];
    const claims = { before: () => Promise.resolve() };
    jobs.addQueue<string>({
      name: "other",
      problem: "the other queue can't be read",
      async *claimDue(running) {
        await claims.before();
        while (running.size < 2 && due.length > 0) yield due.shift() ?? "";
      },
      run: (name) => {
        started.push(name);
        return new Promise((resolve) => held.push(resolve));
      },
    });
    jobs.start();
    const start = async (...names: string[]) => {
      due.push(...names);
      vi.advanceTimersByTime(1_000);
      await waitUntil(() => started.length === 2);
    };
    const enqueue = async (payload: unknown) => {
      await jobs.enqueue(db, "note", payload);
      vi.advanceTimersByTime(0);
    };
    return { jobs, logged, due, started, held, claims, start, enqueue };
  }

  test("that is full doesn't hold up jobs, and starts the next piece of work when one ends", async () => {
    const done: unknown[] = [];
    const { started, held, start, enqueue } = await open(async (payload) => void done.push(payload));
    await start("a", "b", "c");
    await enqueue(1);
    await waitUntil(() => done.length > 0);
    expect(started).toEqual(["a", "b"]);
    held[0]?.();
    await waitUntil(() => started.length > 2);
    expect(started).toEqual(["a", "b", "c"]);
  });

  test("isn't held up by as many jobs as can run", async () => {
    let waiting = 0;
    const { start, enqueue } = await open(() => new Promise(() => waiting++));
    for (let n = 0; n < 5; n++) await enqueue(n);
    await waitUntil(() => waiting === 4);
    await start("a", "b");
    expect(waiting).toBe(4);
  });

  test("that can't be read is logged, stops no jobs, and is read again", async () => {
    const done: unknown[] = [];
    const { claims, logged, start, enqueue } = await open(async (payload) => void done.push(payload));
    claims.before = () => Promise.reject(new Error("no connection"));
    vi.advanceTimersByTime(1_000);
    await waitUntil(() => logged.length > 0);
    expect(logged[0]).toMatchObject({
      level: 50,
      msg: "the other queue can't be read",
      err: { message: "no connection" },
    });
    await enqueue(1);
    await waitUntil(() => done.length > 0);
    claims.before = () => Promise.resolve();
    await start("a", "b");
  });

  test("claims nothing more when it is stopped, which waits for a claim and for what runs", async () => {
    const { jobs, due, started, held, claims, start } = await open(async () => undefined);
    await start("a", "b", "c", "d");
    const claim = Promise.withResolvers<void>();
    const claiming = Promise.withResolvers<void>();
    claims.before = () => {
      claiming.resolve();
      return claim.promise;
    };
    held[0]?.();
    await claiming.promise;
    let isStopped = false;
    const stopped = jobs.stop().then(() => (isStopped = true));
    held[1]?.();
    await nextTurn();
    claim.resolve();
    await waitUntil(() => held.length === 3);
    await nextTurn();
    expect(isStopped).toBe(false);
    held[2]?.();
    await stopped;
    expect([started, due]).toEqual([["a", "b", "c"], ["d"]]);
  });
});

describeOnEachDatabase("running what is due", (makeDb) => {
  /** Each piece of work of the other queue adds a job, and the first job adds another piece of work. */
  async function open(canClaim = () => true) {
    const db = await makeDb();
    const due: string[] = [];
    const handlers = { note: async (name: unknown) => void (name === "first" && due.push("second")) };
    const jobs = createJobs({ db, log: pino({ level: "silent" }), clock: () => 1, handlers, canClaim });
    const ran: string[] = [];
    jobs.addQueue<string>({
      name: "other",
      problem: "",
      async *claimDue() {
        while (due.length > 0) yield due.shift() ?? "";
      },
      run: async (name) => {
        ran.push(name);
        await jobs.enqueue(db, "note", name);
      },
    });
    const rows = () => db.selectFrom("job").selectAll().execute();
    return { jobs, db, due, ran, rows };
  }

  test("includes what one queue adds to another, or is only that of one", async () => {
    const { jobs, due, ran, rows } = await open();
    due.push("first");
    await jobs.runDue("jobs");
    expect(ran).toEqual([]);
    await jobs.runDue();
    expect([ran, due, await rows()]).toEqual([["first", "second"], [], []]);
    due.push("third");
    await jobs.runDue("other");
    expect(await rows()).toHaveLength(1);
  });

  test("is nothing, from any queue, while this process may claim none", async () => {
    const may = { claim: false };
    const { jobs, db, due, ran, rows } = await open(() => may.claim);
    due.push("first");
    await jobs.enqueue(db, "note", 1);
    await jobs.runDue();
    expect([ran, (await rows()).length]).toEqual([[], 1]);
    may.claim = true;
    await jobs.runDue();
    expect([ran, (await rows()).length]).toEqual([["first", "second"], 0]);
  });
});
