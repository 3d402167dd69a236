import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openRawConnection } from "#tests/support/program/connections.ts";
import { rowsOf } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { visitorOf } from "#tests/support/program/users.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  return program;
}

/** A failed start prints its problems and no stack trace. Returns the lines. */
async function linesOfRefusal(program: Program) {
  expect((await program.ended).code).toBe(1);
  expect(program.errors()).not.toMatch(/\n\s+at /);
  return program.errors().trim().split("\n");
}

test("starts without settings, alone on its folder, and after kill -9 again with the same secrets and counted visits", async () => {
  const first = await start();
  expect(await first.isUp()).toBe(true);
  expect(await (await fetch(`${first.url}/healthz`)).json()).toEqual({ status: "ok", database: "ok" });
  // The log is written in blocks.
  await expect.poll(() => first.output()).toContain(`Meishi is running at ${first.url}`);
  const secretsFile = join(first.dataDir, "secrets.json");
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  const secrets = readFileSync(secretsFile, "utf8");
  const folder = { DATA_DIR: first.dataDir };

  expect(await linesOfRefusal(await start(folder))).toEqual([expect.stringMatching(/Another Meishi process/)]);
  await fetch(`${first.url}/card/demo-card`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
  const count = () => rowsOf(first, "select sum(n) as n from hourly_count where subject = 'card:demo-card'");
  await expect.poll(count).toEqual([{ n: 1 }]);
  await first.kill("SIGKILL");

  // A start on a used port releases the folder.
  const other = createServer();
  const port = String(await listenAnywhere(other));
  const [line] = await linesOfRefusal(await start({ ...folder, PORT: port }));
  expect(line).toContain(`Port ${port} is already in use`);
  other.close();
  const again = await start(folder);
  expect(await again.isUp()).toBe(true);
  expect(readFileSync(secretsFile, "utf8")).toBe(secrets);
  expect(count()).toEqual([{ n: 1 }]);
});

test("fails with invalid settings and names each of them", async () => {
  const lines = await linesOfRefusal(await start({ PORT: "abc", BASE_URL: "ftp://x", DEMO: "maybe" }));
  expect(lines.join("\n")).toMatch(/PORT[\s\S]*BASE_URL[\s\S]*DEMO/);
});

test("fails in one line when the configured database is unreachable, without printing its password", async () => {
  const lines = await linesOfRefusal(await start({ DATABASE_URL: "postgres://meishi:topsecret@127.0.0.1:1/meishi" }));
  expect(lines).toEqual([expect.stringMatching(/database/i)]);
  expect(lines[0]).not.toContain("topsecret");
});

const signUp = { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" };

// One test, because most of the time is the program's start, and its wait for the half-sent request.
test("on SIGTERM finishes what is running, accepts nothing new, and waits for no idle, half-sent or hanging connection", async () => {
  const smtp = await openHangingServer();
  const program = await start({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
  await program.isUp();
  const host = `Host: localhost:${program.port}\r\nOrigin: ${program.url}\r\n`;
  const send = async (text: string) => {
    const client = await openRawConnection(program.port);
    await client.send(text);
    return client;
  };
  const mailed = await visitorOf(program).post("/auth?tab=signup", { ...signUp, email: "eda@example.com" });
  expect(mailed.status).toBe(200);
  // The self-check connects to the mail server as well: only a counted try shows that the mail is being sent.
  await expect.poll(() => rowsOf(program, "select kind, tries from job")).toEqual([{ kind: "mail", tries: 1 }]);
  const idle = await send(`GET /card/demo-card HTTP/1.1\r\n${host}\r\n`);
  await expect.poll(idle.status).toBe(200);
  await send(`POST /auth HTTP/1.1\r\n${host}Content-Length: 100\r\n\r\nabc`);
  await send("GET /card/demo-card HTTP/1.1\r\nHost: local");
  await fetch(`${program.url}/card/demo-card?q`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
  const form = new URLSearchParams(signUp).toString();
  const type = "Content-Type: application/x-www-form-urlencoded";
  const running = await send(
    `POST /auth?tab=signup HTTP/1.1\r\n${host}${type}\r\nContent-Length: ${form.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await expect.poll(running.status).toBe(100);
  const paths = ["card/demo-card/preview.png", "u/demo-user/preview.png", "card/demo-card/signature.png"];
  const images = paths.map(async (path) => (await fetch(`${program.url}/${path}`)).arrayBuffer());
  await Promise.race(images);

  const stopped = program.kill("SIGTERM");
  const isRefused = () =>
    fetch(`${program.url}/healthz`).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused, { interval: 5 }).toBe(true);
  // A second signal doesn't interrupt the orderly stop.
  void program.kill("SIGINT");
  await idle.ended;
  await running.send(form);
  await running.ended;
  expect(running.answer()).toContain("\r\n\r\nHTTP/1.1 200 ");
  expect(running.answer()).toContain("Check your email for the confirmation link!");
  const heads = (await Promise.all(images)).map((body) => Buffer.from(body).toString("latin1", 1, 4));
  expect(heads).toEqual(["PNG", "PNG", "PNG"]);
  expect(await stopped).toEqual({ code: 0, signal: null });
  expect(program.errors()).toBe("");
  expect(smtp.sockets).not.toEqual([]);
  expect(rowsOf(program, "select sum(n) as n from hourly_count where source = 'qr'")).toEqual([{ n: 1 }]);
  expect(rowsOf(program, "select distinct kind from job")).toEqual([{ kind: "mail" }]);
});

/** A server that accepts connections and never says anything. */
async function openHangingServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on("error", () => socket.destroy())));
  const port = await listenAnywhere(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { sockets, port };
}
