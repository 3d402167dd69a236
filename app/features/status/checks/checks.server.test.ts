import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { SMTPServer } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";

import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { createChecks, isLow, sweepProbes } from "./checks.server.ts";

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

  test("calls the space low under 1 GB or 5 %", () => {
    const gb = 1_000_000_000;
    const disks = [
      [1, 10],
      [0.99, 10],
      [5, 100],
      [4.99, 100],
    ] as const;
    expect(disks.map(([free, total]) => isLow({ free: free * gb, total: total * gb }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
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

  test("is well when the mail server accepts the sign-in, and sends nothing", async () => {
    const mails: string[] = [];
    const port = await serveMail((_stream, session) => mails.push(session.id));
    const { checks } = await open({ SMTP_URL: `smtp://ada:secret-word@127.0.0.1:${port}` });
    await expect(checks.mail()).resolves.toBe("well");
    expect(mails).toEqual([]);
  });

  test("fails on a wrong password, without revealing it, and without a server", async () => {
    const port = await serveMail();
    const { checks } = await open({ SMTP_URL: `smtp://ada:wrong-word@127.0.0.1:${port}` });
    const error = await checks.mail().then(String, (reason: Error) => `${reason.stack} ${JSON.stringify(reason)}`);
    expect(error).toMatch(/Invalid login/);
    expect(error).not.toContain("wrong-word");
    const { checks: withoutServer } = await open({ SMTP_URL: "smtp://127.0.0.1:1" });
    await expect(withoutServer.mail()).rejects.toThrow(/ECONNREFUSED/);
  });

  test("times out when the server sends nothing", async () => {
    const silent = createServer();
    onTestFinished(() => void silent.close());
    const { checks } = await open({ SMTP_URL: `smtp://127.0.0.1:${await listenAnywhere(silent)}` });
    await expect(checks.mail()).rejects.toThrow(/greeting/i);
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
