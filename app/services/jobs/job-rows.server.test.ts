import pino from "pino";
import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { discardGivenUp, insertJob, listDueJobs, listGivenUp, maxJobTries, retryGivenUp } from "./job-rows.server.ts";
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

describeOnEachDatabase("jobs that were given up", (makeDb) => {
  /** A job of each of these kinds that failed its last try, and one on its last try. */
  async function open(...kinds: string[]) {
    const db = await makeDb();
    for (const [at, kind] of kinds.entries())
      await insertJob(db, { kind, payload: "secret", runAt: start + at }, start + at);
    await db.updateTable("job").set({ tries: maxJobTries, last_error: "no answer" }).execute();
    await insertJob(db, { kind: "running", payload: "", runAt: start }, start);
    const lastTry = { tries: maxJobTries, leased_until: start + minute };
    await db.updateTable("job").set(lastTry).where("kind", "=", "running").execute();
    const list = (limit = 10) => listGivenUp(db, { now: start, limit });
    return { db, list, idOf: async (kind: string) => (await list()).find((job) => job.kind === kind)?.id ?? "" };
  }

  test("are listed, the newest first, without what they say", async () => {
    const { list } = await open("first", "second");
    expect(await list(1)).toMatchObject([{ kind: "second", createdAt: start + 1, lastError: "no answer" }]);
    expect((await list()).map(({ kind }) => kind)).toEqual(["second", "first"]);
    expect(JSON.stringify(await list())).not.toContain("secret");
  });

  test("run again at once with all their tries, one or all of a kind, and only once", async () => {
    const { db, list, idOf } = await open("note", "mail", "note");
    const id = await idOf("mail");
    expect(await retryGivenUp(db, { id, now: start - minute })).toEqual(["mail"]);
    expect(await retryGivenUp(db, { id, now: start })).toEqual([]);
    expect(await listDueJobs(db, { kinds: ["mail"], now: start - minute })).toMatchObject([{ id }]);
    expect(await retryGivenUp(db, { kind: "running", now: start })).toEqual([]);
    expect(await retryGivenUp(db, { kind: "note", now: start })).toEqual(["note", "note"]);
    expect(await list()).toEqual([]);
  });

  test("are deleted once; one that was retried stays", async () => {
    const { db, list, idOf } = await open("note", "mail");
    const [note, mail] = [await idOf("note"), await idOf("mail")];
    await retryGivenUp(db, { id: note, now: start });
    expect(await discardGivenUp(db, { id: note, now: start })).toEqual([]);
    expect(await discardGivenUp(db, { id: mail, now: start })).toEqual(["mail"]);
    expect(await discardGivenUp(db, { id: mail, now: start })).toEqual([]);
    expect(await list()).toEqual([]);
    expect(await db.selectFrom("job").select("kind").orderBy("kind").execute()).toEqual([
      { kind: "note" },
      { kind: "running" },
    ]);
  });
});
