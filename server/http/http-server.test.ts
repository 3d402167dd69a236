import { once } from "node:events";
import { connect } from "node:net";
import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

import { afterEach, expect, test } from "vitest";

import { openRawConnection } from "#tests/support/program/connections.ts";

import { features } from "../features.ts";
import { closeConnectionsAfterMs, createHttpServer, exitAfterMs } from "./http-server.ts";
import { listRawRoutes, slowBodyMatcher } from "../raw-routes.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server with timeouts a hundred times shorter than the program's. */
async function listen(limits = { headersTimeout: 150, requestTimeout: 300, uploadTimeout: 1_500 }) {
  const isSlow = slowBodyMatcher(listRawRoutes(features));
  const server = createHttpServer(
    (incoming, outgoing) => {
      incoming.resume().on("end", () => outgoing.end("answered"));
      incoming.on("error", () => outgoing.destroy());
    },
    { ...limits, isSlow },
  ).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Sends the parts at intervals until the connection ends. Returns the response. */
async function drip(port: number, parts: string[], every: number) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  // A connection that is closed while data is on its way ends in a reset.
  let answer = "";
  socket.on("data", (part) => (answer += String(part))).on("error", () => socket.destroy());
  const closed = new Promise((resolve) => socket.on("close", resolve));
  for (const part of parts) {
    if (socket.destroyed || !socket.writable) break;
    socket.write(part);
    await pause(every);
  }
  await closed;
  return answer;
}

test.each([
  ["headers", "GET / HTTP/1.1\r\nHost: x\r\n"],
  ["body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"],
])("disconnects a client that sends its %s one byte at a time", async (_, head) => {
  const answer = await drip(await listen(), [head, ...Array<string>(100).fill("a")], 50);
  // Data on its way when the connection ends may discard the response.
  expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test("answers a fast client while others are slow", async () => {
  const port = await listen({ headersTimeout: 2_000, requestTimeout: 4_000, uploadTimeout: 4_000 });
  const slow = drip(port, ["GET / HT", "TP/1.1\r\n"], 100);
  const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\n";
  expect(await drip(port, [head, "a"], 10)).toContain("answered");
  expect(await slow).not.toContain("answered");
});

test("disconnects a client that does not read its response", async () => {
  const server = createHttpServer((_, outgoing) => void outgoing.end(new Uint8Array(50_000_000)), { idleTimeout: 200 });
  servers.push(server.listen(0, "127.0.0.1"));
  const [incoming] = await Promise.all([once(server, "connection"), once(server, "listening").then(requestAndWait)]);
  await new Promise((resolve) => incoming[0].on("close", resolve));

  function requestAndWait() {
    const address = server.address();
    const socket = connect(typeof address === "object" && address ? address.port : 0, "127.0.0.1").pause();
    socket.on("error", () => socket.destroy()).write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  }
});

test("gives an upload more time than a form, but not without end", async () => {
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nConnection: close\r\n\r\n`;
  const patient = await listen({ headersTimeout: 150, requestTimeout: 300, uploadTimeout: 60_000 });
  const open = () => openRawConnection(patient);
  const [form, disguised, file] = [await open(), await open(), await open()];
  await form.send(`${head("/profile")}aaaaaaa`);
  await disguised.send(`${head("/uploads/a/../../profile")}aaaaaaa`);
  await file.send(`${head("/uploads/logo:0f0e8a52-5d3c-4d7e-9a70-1c8f4e1b2a3d?name=a.jpg")}aaaaaaa`);
  await Promise.all([form.ended, disguised.ended]);
  expect(form.answer() + disguised.answer()).not.toContain("answered");
  await file.send("a");
  await file.ended;
  expect(file.answer()).toContain("answered");

  const parts = Array<string>(8).fill("a");
  expect(await drip(await listen(), [head("/uploads/avatar"), ...parts], 1_000)).not.toContain("answered");
});

test.each([
  ["a body", "POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\nabc"],
  ["no body", "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n\r\n"],
])("answers a request to upgrade with %s and closes its connection", async (_, request) => {
  const port = await listen({ headersTimeout: 60_000, requestTimeout: 60_000, uploadTimeout: 60_000 });
  const client = await openRawConnection(port);
  await client.send(`${request}GET / HTTP/1.1\r\nHost: x\r\n\r\n`);
  await client.ended;
  expect(client.answer()).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/);
  expect(client.answer()).toContain("answered");
});

test("the program allows 15 seconds for headers, three minutes for an upload, one minute without traffic and 75 seconds between requests", () => {
  const server = createHttpServer(() => undefined);
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = server;
  expect([headersTimeout, requestTimeout, timeout, keepAliveTimeout]).toEqual([15_000, 180_000, 60_000, 75_000]);
});

test("the process ends within the ten seconds that Docker and systemd wait for at least", () => {
  expect(closeConnectionsAfterMs).toBeLessThan(exitAfterMs);
  expect(exitAfterMs).toBeLessThan(10_000);
});
