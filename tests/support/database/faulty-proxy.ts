import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

import { openDatabase } from "#app/services/database/database.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { makeDatabase } from "#tests/support/database/databases.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

type Fault = {
  /** Matches what the client has sent on one connection since `breakAt`, up to the message to break at: /insert into[^]*commit/. */
  pattern: RegExp;
  /** Whether the server gets the message. Its response is lost either way. */
  isForwarded?: boolean;
  times?: number;
};

export async function openThroughProxy() {
  const { databaseUrl = "", dataDir } = await makeDatabase("postgres");
  const proxy = await openFaultyProxy(databaseUrl);
  const { db, close } = await openDatabase({ dataDir, databaseUrl: proxy.url });
  cleanUpAfterTest(close);
  return { db, proxy };
}

/** A proxy to PostgreSQL that breaks connections at chosen messages. Connect through `url`. Closed after the test. */
export async function openFaultyProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let broken = new Set<Socket>();
  let silent = new Set<Socket>();
  let swallowed = 0;
  let fault: Required<Fault> | undefined;
  let seen = 0;
  let refusals = 0;
  let earlyEnds = 0;

  /** What to do with each message of one connection. */
  function createJudge() {
    let current = fault;
    let sent = "";
    return (data: Buffer): "pass" | "drop" | "lose-answer" => {
      if (fault !== current) sent = "";
      current = fault;
      sent += data.toString("latin1");
      if (!fault?.pattern.test(sent)) return "pass";
      sent = "";
      seen++;
      if (seen > fault.times) return "pass";
      return fault.isForwarded ? "lose-answer" : "drop";
    };
  }

  function forward(near: Socket) {
    const far = connect(Number(target.port), target.hostname);
    const judge = createJudge();
    let isAnswerLost = false;
    near.on("data", (data: Buffer) => {
      if (silent.has(near)) {
        swallowed++;
        return;
      }
      const verdict = broken.has(near) ? "drop" : judge(data);
      isAnswerLost ||= verdict === "lose-answer";
      if (verdict === "drop") near.destroy();
      else far.write(data);
    });
    far.on("data", (data: Buffer) => {
      if (isAnswerLost) near.destroy();
      else if (earlyEnds > 0 && data.includes(readyForQuery)) {
        earlyEnds--;
        near.end(Buffer.concat([data, fatalError("57P01")]));
      } else near.write(data);
    });
    connectFates(near, far, sockets);
  }

  const server = createServer((near) => {
    if (refusals > 0) {
      refusals--;
      near.once("data", () => near.end(fatalError("57P03")));
      near.on("error", () => near.destroy());
    } else forward(near);
  });
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    /** Breaks the connections that are open now, each as soon as the client uses it: until then the client doesn't know. */
    breakOpenConnections: () => void (broken = new Set(sockets)),
    /** Swallows what the connections that are open now send from now on. */
    silenceOpenConnections: () => void (silent = new Set(sockets)),
    /** How many messages they have sent since. */
    countSwallowed: () => swallowed,
    breakAt: ({ pattern, isForwarded = false, times = 1 }: Fault) => {
      fault = { pattern, isForwarded, times };
      seen = 0;
    },
    /** How often the pattern of `breakAt` matched. */
    countSeen: () => seen,
    /** Answers the next connections like a server that is starting. */
    refuseNext: (count: number) => void (refusals = count),
    /** Ends the next connections with the message that says that they are open. */
    endNextWhenOpen: (count: number) => void (earlyEnds = count),
  };
}

/** When one end of a connection closes, so does the other. */
function connectFates(near: Socket, far: Socket, sockets: Set<Socket>) {
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      near.destroy();
      far.destroy();
    });
  }
}

// https://www.postgresql.org/docs/current/protocol-message-formats.html
const readyForQuery = Buffer.from("Z\0\0\0\u0005I");

/** An ErrorResponse. */
function fatalError(code: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0Mthe server is starting or stopping\0\0`;
  const header = Buffer.alloc(5, "E");
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, Buffer.from(fields)]);
}
