import { createServer } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, test } from "vitest";
import type { ExpectStatic, TestContext } from "vitest";

import { visitorOf } from "../support/people.ts";
import { startProgram } from "../support/program.ts";
import type { Program } from "../support/program.ts";
import { openRaw } from "../support/raw-connection.ts";

async function start({ onTestFinished }: TestContext, env: Record<string, string> = {}) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  await program.isUp();
  return program;
}

async function stop(program: Program) {
  const started = performance.now();
  const { code, signal } = await program.kill("SIGTERM");
  return { code, signal, seconds: (performance.now() - started) / 1_000 };
}

const signUp = { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" };

// Beside each other: most of their time is spent waiting for the program to give up waiting. So each expects with an `expect` of its own.
describe.concurrent("on SIGTERM", () => {
  test("told to stop, the program finishes the request that runs, takes no other, and does not wait for idle connections", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const idle = await openRaw(program.port);
    await idle.send("GET /card/demo-card HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const silent = await openRaw(program.port);
    const running = await openRaw(program.port);
    const form = new URLSearchParams(signUp).toString();
    await running.send(
      `POST /auth?tab=signup HTTP/1.1\r\nHost: localhost:${program.port}\r\nOrigin: ${program.url}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await expect.poll(running.status).toBe(100);
    const stopped = stop(program);
    const refuses = () =>
      fetch(`${program.url}/healthz`).then(
        () => false,
        () => true,
      );
    await expect.poll(refuses, { interval: 5 }).toBe(true);
    await running.send(form);
    await running.ended;
    expect(running.answer()).toContain("\r\n\r\nHTTP/1.1 200 ");
    expect(running.answer()).toContain("Check your email for the confirmation link!");
    expect(await stopped).toMatchObject({ code: 0, signal: null });
    expect((await stopped).seconds).toBeLessThan(4);
    await Promise.all([idle.ended, silent.ended]);
    expect(idle.status()).toBe(200);
  });

  test("a request that is only half sent does not hold it up for more than ten seconds", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const half = await openRaw(program.port);
    await half.send(
      `POST /auth HTTP/1.1\r\nHost: localhost\r\nOrigin: ${program.url}\r\nContent-Length: 100\r\n\r\nabc`,
    );
    const headers = await openRaw(program.port);
    await headers.send("GET /card/demo-card HTTP/1.1\r\nHost: local");
    await fetch(`${program.url}/card/demo-card?q`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
    await pause(50);
    const stopped = await stop(program);
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.seconds).toBeLessThan(10);
    expect(countOf(program)).toBe(1);
  });

  test("a mail server that says nothing does not hold it up either, and the mail goes out after the next start", async (context) => {
    const { expect } = context;
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket.on("error", () => socket.destroy()))).listen(
      0,
      "127.0.0.1",
    );
    context.onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    await once(server, "listening");
    const address = server.address();
    const smtp = `smtp://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const first = await start(context, { SMTP_URL: smtp });
    const { status } = await visitorOf(first).post("/auth?tab=signup", signUp);
    expect(status).toBe(200);
    // The program's look at itself greets the server as well: only a try that was counted says that the mail is on its way.
    const isTried = () => rows(first, "select tries from job")[0]?.["tries"] === 1;
    await expect.poll(isTried).toBe(true);
    expect(sockets).not.toEqual([]);
    const stopped = await stop(first);
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.seconds).toBeLessThan(10);
    const [job] = rows(first, "select kind, tries from job");
    expect(job).toMatchObject({ kind: "mail" });
  });

  test("told to stop a second time while it is stopping, it goes on stopping in good order", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const running = visitorOf(program).post("/auth?tab=signup", signUp);
    await hasBegun(program, expect);
    const stopped = stop(program);
    await program.kill("SIGINT");
    expect((await running).status).toBe(200);
    expect(await stopped).toMatchObject({ code: 0, signal: null });
  });
});

/** Signing up counts as a try before anything else is done about it; the sweep at the start has counted one as well. */
async function hasBegun(program: Program, expect: ExpectStatic) {
  await expect.poll(() => rows(program, "select key from attempt").length, { interval: 10 }).toBeGreaterThan(1);
}

function countOf(program: Program): number {
  return Number(rows(program, "select sum(n) as n from tally where source = 'qr'")[0]?.["n"]);
}

function rows(program: Program, statement: string) {
  const database = new DatabaseSync(join(program.dataDir, "meishi.db"));
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}
