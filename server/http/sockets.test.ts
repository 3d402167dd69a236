import { once } from "node:events";
import { connect } from "node:net";

import { expect, test } from "vitest";

import type { Feature, Socket } from "#app/services/features/feature.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

import { createHttpServer } from "./http-server.ts";
import { openSockets } from "./sockets.ts";

/** A server with one path for WebSockets, for requests with a key. `open` sends a handshake (RFC 6455 §4.1) and collects what comes back. */
async function openServer(onConnect: (socket: Socket) => void = () => undefined) {
  const { services, logLines } = await createTestApp();
  const messages: (string | Uint8Array)[] = [];
  const ended = Promise.withResolvers<boolean>();
  const path: NonNullable<Feature["sockets"]>[number] = {
    path: "/echo",
    open: () => ({
      accepts: ({ searchParams }) => searchParams.has("key"),
      connect: (socket) => {
        onConnect(socket);
        return { receive: (message) => messages.push(message), closed: () => ended.resolve(true) };
      },
    }),
  };
  const sockets = openSockets([{ sockets: [path] }], services);
  const server = createHttpServer((_, response) => void response.end("a page"), { sockets });
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => {
    sockets.close();
    server.close();
  });

  async function open(target: string) {
    const client = connect(port, "127.0.0.1");
    cleanUpAfterTest(() => client.destroy());
    let received = Buffer.alloc(0);
    client.on("data", (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
    client.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${handshake}\r\n`);
    await once(client, "data");
    /** Of the frame that closes the connection, if that is the first one. */
    const closeCode = () => {
      const frame = received.subarray(received.indexOf("\r\n\r\n") + 4);
      return frame[0] === 0x88 ? frame.readUInt16BE(2) : undefined;
    };
    return { client, head: () => received.toString(), closeCode };
  }

  return { open, sockets, messages, ended: ended.promise, logLines };
}

const handshake =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
  "Sec-WebSocket-Extensions: permessage-deflate\r\n";

/** A frame of a client, whose mask changes nothing. */
function frame(opcode: number, payload: Buffer): Buffer {
  const length =
    payload.length < 126
      ? [0x80 | payload.length]
      : [0xff, 0, 0, 0, 0, 0, ...[16, 8, 0].map((n) => (payload.length >> n) & 255)];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, 0, 0, 0, 0]), payload]);
}

test("only a request that a feature accepts opens a connection, without compression; its query isn't logged", async () => {
  const { open, messages, logLines } = await openServer();
  for (const target of ["/", "/echo", "/echo/more?key=1"]) expect((await open(target)).head()).toContain("a page");
  const { client, head } = await open("/echo?key=secret");
  expect(head()).toMatch(/^HTTP\/1\.1 101 /);
  expect(head()).not.toMatch(/deflate/i);
  client.write(Buffer.concat([frame(1, Buffer.from("text")), frame(2, Buffer.from([1, 2]))]));
  await expect.poll(() => messages).toEqual(["text", Buffer.from([1, 2])]);
  expect(logLines.at(-1)).toMatchObject({ method: "GET", path: "/echo", status: 101 });
  expect(JSON.stringify(logLines)).not.toContain("secret");
});

test.each([
  ["longer than 64 kB", frame(1, Buffer.alloc(64_001, "x")), 1009],
  ["that isn't UTF-8", frame(1, Buffer.from([0xff])), 1007],
  ["with a reserved opcode", frame(3, Buffer.from("x")), 1002],
])("a message %s closes the connection", async (_, bytes, code) => {
  const { open, ended } = await openServer();
  const { client, closeCode } = await open("/echo?key=1");
  client.write(bytes);
  await expect.poll(closeCode).toBe(code);
  expect(await ended).toBe(true);
});

test("a client that doesn't read is cut off", async () => {
  let sent = 0;
  const { open, ended } = await openServer(({ send }) => {
    for (; sent < 100; sent++) send("x".repeat(1_000_000));
  });
  const { client } = await open("/echo?key=1");
  client.pause();
  expect(await ended).toBe(true);
});

test("when the server stops, connections end and none is opened", async () => {
  const { open, sockets } = await openServer();
  const { closeCode } = await open("/echo?key=1");
  sockets.close();
  await expect.poll(closeCode).toBe(1001);
  expect((await open("/echo?key=1")).head()).toContain("a page");
});
