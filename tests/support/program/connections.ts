import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

import { Client } from "pg";

import { freePort } from "./free-port.ts";

/** A TCP connection for the bytes of a broken or malicious client. `ended` resolves when either side closes it. */
export async function openRawConnection(port: number) {
  const socket = connect({ port, host: "127.0.0.1" });
  let answer = "";
  socket.on("data", (part) => (answer += part.toString("latin1")));
  // A connection closed with data still in flight ends in a reset.
  socket.on("error", () => socket.destroy());
  const ended = new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
  });
  await once(socket, "connect");

  /** Waits for backpressure; false when the other side has closed. */
  async function send(data: string | Uint8Array): Promise<boolean> {
    if (socket.destroyed || !socket.writable) return false;
    if (!socket.write(data)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
    return !socket.destroyed;
  }

  return {
    send,
    ended,
    answer: () => answer,
    /** The response's status, 0 before it arrives. */
    status: () => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0),
    close: () => socket.destroy(),
    /** Reads nothing any more, until `resume`. */
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

/** A proxy to a server that a test can cut or make silent. Connect through `url`. */
export async function openUnreliableProxy(serverUrl: string) {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const port = await freePort();
  let isSilent = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (!isSilent) to.write(data);
      });
      from.on("error", () => from.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });

  async function listen() {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }

  function breakAll() {
    for (const socket of sockets) socket.destroy();
  }

  await listen();
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    /** Closes open connections and refuses new ones, like a server that is down. */
    cut: () => {
      server.close();
      breakAll();
    },
    restore: listen,
    /** Accepts data and returns none, like a server that hangs. */
    silence: (silent: boolean) => {
      isSilent = silent;
      // Swallowed data is lost, so these connections can't continue.
      if (!silent) breakAll();
    },
    close: () => {
      if (server.listening) server.close();
      breakAll();
    },
  };
}

/** Runs a statement on a connection of its own. */
export async function queryPostgres(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Ends all connections to a database, like a restart of the server. */
export async function endAllConnections(databaseUrl: string): Promise<void> {
  const others = "pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  await queryPostgres(databaseUrl, `select pg_terminate_backend(pid, 10000) from ${others}`);
}
