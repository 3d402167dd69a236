import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer as createPlainServer } from "node:net";
import type { Server, Socket } from "node:net";
import { text } from "node:stream/consumers";

import { describe, expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { createPublicSender } from "./public-sender.server.ts";

const message = { headers: { "content-type": "application/json", "x-own": "1" }, body: '{"a":"ä"}' };

async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  cleanUpAfterTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listenAnywhere(server);
}

async function openServer(listener: RequestListener) {
  const origin = `http://127.0.0.1:${await listen(createServer(listener))}`;
  return { origin, send: createPublicSender({ allowedOrigins: [origin], timeLimitMs: 400 }) };
}

/** A server below HTTP. */
async function openRawServer(answer: (socket: Socket) => unknown, protocol = "http") {
  const port = await listen(createPlainServer((socket) => socket.once("data", () => void answer(socket))));
  const origin = `${protocol}://127.0.0.1:${port}`;
  return { origin, send: createPublicSender({ allowedOrigins: [origin] }) };
}

describe("an answer", () => {
  test("comes with its status and text, and the request had our headers and body", async () => {
    let received = {};
    const { origin, send } = await openServer(async (request, response) => {
      const { method, url, headers } = request;
      received = { method, url, own: headers["x-own"], length: headers["content-length"], body: await text(request) };
      response.writeHead(503, { "retry-after": "120" }).end("später");
    });
    const expected = { status: 503, retryAfter: "120", text: "später", isCut: false };
    expect(await send(`${origin}/hook?key=1`, message)).toMatchObject(expected);
    expect(received).toEqual({ method: "POST", url: "/hook?key=1", own: "1", length: "10", body: '{"a":"ä"}' });
  });

  test("is read up to 64 kB, and no further", async () => {
    let isClosed: Promise<unknown> | undefined;
    const { origin, send } = await openServer((_, response) => {
      isClosed = once(response, "close");
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, "x")));
        response.once("drain", write);
      };
      write();
    });
    const result = await send(origin, message);
    expect(result).toMatchObject({ status: 200, text: "x".repeat(65_536), isCut: true });
    await isClosed;
    const whole = await openServer((_, response) => response.end(Buffer.alloc(65_536, "x")));
    expect(await whole.send(whole.origin, message)).toMatchObject({ text: "x".repeat(65_536), isCut: false });
  });

  test("that isn't text can be stored", async () => {
    const { origin, send } = await openServer((_, response) => response.end(Buffer.from([0, 255, 65])));
    expect(await send(origin, message)).toMatchObject({ status: 200, text: "\ufffd\ufffdA" });
  });

  test.each([301, 307])("%i is the answer: no redirect is followed", async (status) => {
    let requests = 0;
    const target = await openServer((_, response) => {
      requests++;
      response.end();
    });
    const { origin } = await openServer((_, response) => response.writeHead(status, { location: target.origin }).end());
    const send = createPublicSender({ allowedOrigins: [origin, target.origin] });
    expect(await send(origin, message)).toMatchObject({ status });
    expect(requests).toBe(0);
  });
});

describe("a fault of the other side is named, not thrown", () => {
  test("no answer, no end of the answer", async () => {
    const silent = await openServer(() => undefined);
    expect(await silent.send(silent.origin, message)).toMatchObject({ problem: "timeout" });
    const endless = await openServer((_, response) => void response.writeHead(200).write("x"));
    expect(await endless.send(endless.origin, message)).toMatchObject({ problem: "timeout" });
  });

  test("a name server that doesn't answer, a host without an address, a server that refuses the connection", async () => {
    const silent = createPublicSender({ timeLimitMs: 50, resolve: () => new Promise(() => undefined) });
    expect(await silent("https://slow.example/", message)).toMatchObject({ problem: "timeout" });
    const unknown = createPublicSender({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await unknown("https://missing.example/", message)).toMatchObject({ problem: "dns" });
    const closed = createPublicSender({ allowedOrigins: ["http://127.0.0.1:1"] });
    expect(await closed("http://127.0.0.1:1/", message)).toMatchObject({ problem: "connection" });
  });

  const switching = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";
  test.each<[string, string, (socket: Socket) => unknown]>([
    ["reset", "connection", (socket) => socket.resetAndDestroy()],
    ["closed", "connection", (socket) => socket.end()],
    ["cut off", "connection", (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nx")],
    ["not HTTP", "invalid-answer", (socket) => socket.end("220 mail.example ESMTP\r\n")],
    ["endless headers", "invalid-answer", (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${"b".repeat(90_000)}`)],
    ["endless hints", "invalid-answer", (socket) => socket.write("HTTP/1.1 103 Hints\r\n\r\n".repeat(50_000))],
    ["endless empty lines", "invalid-answer", (socket) => socket.write("\r\n".repeat(500_000))],
    ["another protocol", "connection", (socket) => socket.write(switching)],
  ])("%s", async (_, problem, answer) => {
    const { origin, send } = await openRawServer(answer);
    expect(await send(origin, message)).toMatchObject({ problem });
  });

  test("a server without TLS", async () => {
    const { origin, send } = await openRawServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "https");
    expect(await send(origin, message)).toMatchObject({ problem: "tls" });
  });
});

describe("an address", () => {
  test("that is private or isn't plain HTTPS is refused, and nothing is sent", async () => {
    const addresses: Record<string, string[]> = {
      "hooks.example": ["1.1.1.1"],
      "mixed.example": ["1.1.1.1", "fd00::1"],
      "none.example": [],
    };
    const send = createPublicSender({ resolve: async (host) => addresses[host] ?? ["127.0.0.1"], timeLimitMs: 400 });
    const hosts = `hooks.example:8443 user@hooks.example user:password@hooks.example private.example localhost localhost. mixed.example
      none.example 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 ①②⑦.0.0.1 [::1] [::ffff:10.0.0.1] [fd00::1] 169.254.169.254`;
    const other = ["http://hooks.example/", "ftp://hooks.example/", "file:///etc/passwd", "//hooks.example/", ""];
    for (const url of [...hosts.split(/\s+/).map((host) => `https://${host}/`), ...other])
      expect(await send(url, message), url).toMatchObject({ problem: "refused-address" });
  });

  test("is resolved and checked again for each message: a host that becomes private is refused", async () => {
    const answers = [["192.0.2.1"], ["10.0.0.1"]];
    const hosts: string[] = [];
    const send = createPublicSender({
      resolve: async (host) => {
        hosts.push(host);
        return answers.shift() ?? ["1.1.1.1"];
      },
    });
    for (let n = 0; n < 2; n++)
      expect(await send("https://münchen.example/", message)).toMatchObject({ problem: "refused-address" });
    expect(hosts).toEqual(["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"]);
  });
});
