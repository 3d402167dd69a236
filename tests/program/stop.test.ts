import { createServer } from "node:net";
import type { Socket } from "node:net";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, test } from "vitest";
import type { ExpectStatic, TestContext } from "vitest";

import { visitorOf } from "#tests/support/program/users.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { openRawConnection } from "#tests/support/program/connections.ts";

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

// Concurrent, because most of the time is waiting. So each test uses its own `expect`.
describe.concurrent("on SIGTERM", () => {
  test("on SIGTERM the program finishes the running request, accepts no new one, and doesn't wait for idle connections", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const idle = await openRawConnection(program.port);
    await idle.send("GET /card/demo-card HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const silent = await openRawConnection(program.port);
    const running = await openRawConnection(program.port);
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

  test("a half-sent request delays the stop by at most ten seconds", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const half = await openRawConnection(program.port);
    await half.send(
      `POST /auth HTTP/1.1\r\nHost: localhost\r\nOrigin: ${program.url}\r\nContent-Length: 100\r\n\r\nabc`,
    );
    const headers = await openRawConnection(program.port);
    await headers.send("GET /card/demo-card HTTP/1.1\r\nHost: local");
    await fetch(`${program.url}/card/demo-card?q`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
    await pause(50);
    const stopped = await stop(program);
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.seconds).toBeLessThan(10);
    expect(countOf(program)).toBe(1);
  });

  test("a hanging mail server doesn't delay the stop, and the mail is sent after the next start", async (context) => {
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
    // The self-check connects to the mail server as well: only a counted try shows that the mail is being sent.
    const isTried = () => rows(first, "select tries from job")[0]?.["tries"] === 1;
    await expect.poll(isTried).toBe(true);
    expect(sockets).not.toEqual([]);
    const stopped = await stop(first);
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.seconds).toBeLessThan(10);
    const [job] = rows(first, "select kind, tries from job");
    expect(job).toMatchObject({ kind: "mail" });
  });

  test("images that worker threads are drawing are finished", async (context) => {
    const { expect } = context;
    const program = await start(context);
    const paths = ["card/demo-card/preview.png", "u/demo-user/preview.png", "card/demo-card/signature.png"];
    const bodies = paths.map(async (path) => (await fetch(`${program.url}/${path}`)).arrayBuffer());
    await Promise.race(bodies);
    const stopped = stop(program);
    const heads = (await Promise.all(bodies)).map((body) => Buffer.from(body).toString("latin1", 1, 4));
    expect(heads).toEqual(["PNG", "PNG", "PNG"]);
    expect(await stopped).toMatchObject({ code: 0, signal: null });
  });

  test("a second SIGTERM doesn't interrupt the orderly stop", async (context) => {
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

/** A sign-up counts as an attempt first; the two sweeps at the start and the card of the sample have counted one each as well. */
async function hasBegun(program: Program, expect: ExpectStatic) {
  await expect.poll(() => rows(program, "select key from attempt").length, { interval: 10 }).toBeGreaterThan(3);
}

function countOf(program: Program): number {
  return Number(rows(program, "select sum(n) as n from hourly_count where source = 'qr'")[0]?.["n"]);
}

function rows(program: Program, statement: string) {
  const database = new DatabaseSync(join(program.dataDir, "meishi.db"));
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}
