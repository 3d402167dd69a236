import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";

import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { createCheckRunner, createChecks, isLow, sweepProbes } from "./checks.server.ts";
import type { Check } from "./checks.server.ts";

const start = Date.UTC(2026, 10, 21, 12);

async function open(env: Record<string, string> = {}) {
  const time = { now: start };
  const app = await createTestApp({ env, clock: () => time.now });
  return { ...app, time, checks: createChecks(app.services, { id: "self", startedAt: start }) };
}

test("the database check is well when it reads what it wrote, and fails when it can't write", async () => {
  const { checks, services } = await open();
  await expect(checks.database()).resolves.toBe("well");
  await services.db.schema.dropTable("instance").execute();
  await expect(checks.database()).rejects.toThrow(/instance/);
});

describe("the files check", () => {
  test("stores, reads and removes a file in the folder, and fails without the folder", async () => {
    const { checks, services, dataDir } = await open();
    await expect(checks.files()).resolves.toBe("well");
    expect(await Array.fromAsync(services.files.list("status/"))).toEqual([]);
    rmSync(join(dataDir, "files"), { recursive: true });
    await expect(checks.files()).rejects.toThrow(/ENOENT/);
  });

  test("does the same in a bucket, and fails while it is unreachable, without revealing the key", async () => {
    const settings = await startS3();
    const { checks, services } = await open(s3Environment(settings));
    await expect(checks.files()).resolves.toBe("well");
    expect(await Array.fromAsync(services.files.list(""))).toEqual([]);
    const unreachable = { ...settings, endpoint: "http://127.0.0.1:1", secretAccessKey: "secret-word" };
    const { checks: failing } = await open(s3Environment(unreachable));
    const error = await failing.files().then(String, (reason: Error) => `${reason.stack}`);
    expect(error).toMatch(/S3 didn't respond to PUT status\/self\/probe/);
    expect(error).not.toContain("secret-word");
  });

  test.each([
    [1, 10, false],
    [0.99, 10, true],
    [5, 100, false],
    [4.99, 100, true],
  ])("with %d of %d GB free is low: %s", (free, total, low) => {
    expect(isLow({ free: free * 1e9, total: total * 1e9 })).toBe(low);
  });

  test("removes the probe of a killed process after an hour", async () => {
    const { services, time } = await open();
    await services.files.put("status/killed/probe", new Uint8Array([1]), "application/octet-stream");
    for (const [now, count] of [
      [Date.now(), 1],
      [Date.now() + 3_600_001, 0],
    ] as const) {
      time.now = now;
      await sweepProbes(services);
      expect(await Array.fromAsync(services.files.list("status/"))).toHaveLength(count);
    }
  });
});

describe("the mail check", () => {
  test("is well when the local outbox is writable, fails without its folder, and is unset without mail", async () => {
    const { checks, services, dataDir } = await open();
    await expect(checks.mail()).resolves.toBe("well");
    expect(await services.mail.listStored()).toEqual([]);
    rmSync(join(dataDir, "mail"), { recursive: true });
    await expect(checks.mail()).rejects.toThrow(/ENOENT/);
    const { checks: unset } = await open({ BASE_URL: "https://cards.example" });
    await expect(unset.mail()).resolves.toBe("unset");
  });

  test("signs in to the mail server, sends nothing, and fails without revealing the password", async () => {
    const mails: string[] = [];
    const port = await serveMail((_stream, session) => mails.push(session.id));
    const silent = createServer();
    onTestFinished(() => void silent.close());
    for (const [url, found] of [
      [`ada:secret-word@127.0.0.1:${port}`, /^well$/],
      [`ada:wrong-word@127.0.0.1:${port}`, /Invalid login/],
      ["127.0.0.1:1", /ECONNREFUSED/],
      [`127.0.0.1:${await listenAnywhere(silent)}`, /greeting/i],
    ] as const) {
      const { checks } = await open({ SMTP_URL: `smtp://${url}` });
      const state = await checks.mail().catch((reason: Error) => `${reason.stack} ${JSON.stringify(reason)}`);
      expect(state).toMatch(found);
      expect(state).not.toContain("wrong-word");
    }
    expect(mails).toEqual([]);
  });
});

describe("the jobs check", () => {
  const minutes = (count: number) => count * 60_000;

  test("fails when a job is due for more than five minutes, and is well once it is done", async () => {
    const { checks, services, time } = await open();
    const mail = { to: "ada@example.com", subject: "Hi", text: "Hi", html: "Hi" };
    time.now = start + minutes(60);
    await services.jobs.enqueue(services.db, "mail", mail);
    await expect(checks.jobs()).resolves.toBe("well");
    time.now += minutes(5) + 1;
    await expect(checks.jobs()).rejects.toThrow("a job (mail) has been due for 5 minutes");
    await services.jobs.runDue();
    await expect(checks.jobs()).resolves.toBe("well");
  });

  test("gives a new process time for the jobs that waited", async () => {
    const { services, time } = await open();
    await services.jobs.enqueue(services.db, "mail", {});
    time.now += minutes(600);
    const { jobs } = createChecks(services, { id: "new", startedAt: time.now });
    await expect(jobs()).resolves.toBe("well");
    time.now += minutes(5);
    await expect(jobs()).rejects.toThrow("due for 605 minutes");
  });

  test("ignores jobs that wait for a retry or failed permanently", async () => {
    const { checks, services, time } = await open();
    await services.jobs.enqueue(services.db, "mail", { to: "nobody" });
    for (let tries = 0; tries < 10; tries++) {
      await services.jobs.runDue();
      const [job] = await services.db.selectFrom("job").selectAll().execute();
      expect(job?.tries).toBe(tries + 1);
      time.now += minutes(10);
      if (time.now < (job?.run_at ?? 0)) await expect(checks.jobs()).resolves.toBe("well");
      time.now += minutes(20 * 60);
    }
    await expect(checks.jobs()).resolves.toBe("well");
  });
});

describe("the runner", () => {
  const well: Check = async () => "well";
  const others = { database: well, files: well, mail: well, jobs: well };

  test("reports a throwing check as failing, logs the cause, and runs the others", async () => {
    const { services, logLines } = await open();
    const failures = [() => Promise.reject(new Error("no room")), well];
    const runChecks = createCheckRunner(
      { ...others, files: () => (failures.shift() ?? well)() },
      { ...services, limitMs: 20 },
    );
    expect(await runChecks()).toEqual({ database: "well", files: "failing", mail: "well", jobs: "well" });
    expect(await runChecks()).toMatchObject({ files: "well" });
    const logged = logLines.filter(({ check }) => check === "files").map(({ msg, err }) => ({ msg, err }));
    expect(logged).toMatchObject([{ err: { message: "no room" } }, { msg: "self-check: files is working again" }]);
  });

  test("reports a hanging check as failing and starts no second one", async () => {
    const { services } = await open();
    const release = Promise.withResolvers<"well">();
    let begun = 0;
    const database = () => (begun++, release.promise);
    const runChecks = createCheckRunner({ ...others, database }, { ...services, limitMs: 20 });
    for (let times = 0; times < 3; times++) expect((await runChecks()).database).toBe("failing");
    expect(begun).toBe(1);
    release.resolve("well");
    await new Promise(setImmediate);
    expect((await runChecks()).database).toBe("well");
  });

  test("gives up a check that never ends after five minutes, and starts a new one", async () => {
    const { services } = await open();
    let [now, begun] = [0, 0];
    const database: Check = () => (++begun === 1 ? new Promise(() => undefined) : Promise.resolve("well"));
    const options = { ...services, limitMs: 10, elapsed: () => now };
    const runChecks = createCheckRunner({ ...others, database }, options);
    const states = [];
    for (now of [0, 240_000, 300_000]) states.push((await runChecks()).database);
    expect(states).toEqual(["failing", "failing", "well"]);
  });
});

/** A local mail server with one password. */
async function serveMail(onData?: (stream: unknown, session: { id: string }) => void): Promise<number> {
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password }, _session, callback) =>
      password === "secret-word" ? callback(null, { user: "ada" }) : callback(new Error("no")),
    onData: (stream, session, callback) => {
      onData?.(stream, session);
      stream.resume();
      stream.on("end", () => callback());
    },
  });
  server.on("error", () => undefined);
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return listenAnywhere(server.server);
}
