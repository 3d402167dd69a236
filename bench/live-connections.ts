import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import { insertAccount } from "#tests/support/program/database.ts";

import { cpuSeconds, residentMb, startMeishi } from "./program.ts";
import type { Program } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const accounts = 500;
const connectionsEach = 20;
const warm = 200;
const heartbeatMs = 25_000;

/** Resident memory of ten thousand idle connections to `/events`, and the processor time that keeps them open. */
export async function liveConnections(): Promise<Row[]> {
  // As behind a proxy, because a network may have at most a thousand.
  const meishi = await startMeishi({ environment: { TRUSTED_PROXY: "127.0.0.1,::1" } });
  const sockets: Socket[] = [];
  try {
    const cookies: Awaited<ReturnType<typeof insertAccount>>[] = [];
    for (let n = 0; n < accounts; n++) cookies.push(await insertAccount(meishi, `user-${n}@example.com`));
    // The first connections load code and grow the heap.
    const openOne = async (at: number) => {
      const { name, value } = cookies[at % accounts] ?? { name: "", value: "" };
      sockets.push(await open(meishi, `${name}=${value}`, at % accounts));
    };
    for (let at = 0; at < warm; at++) await openOne(at);
    await pause(2_000);
    const before = residentMb(meishi.pid);
    const count = accounts * connectionsEach;
    for (let at = warm; at < count; at++) await openOne(at);
    const started = cpuSeconds(meishi.pid);
    await pause(2 * heartbeatMs);
    const share = (cpuSeconds(meishi.pid) - started) / ((2 * heartbeatMs) / 1_000);
    const open10k = sockets.filter(({ destroyed }) => !destroyed).length;
    const kilobytes = ((residentMb(meishi.pid) - before) * 1_024) / (open10k - warm);
    return [
      {
        what: `memory of each of ${open10k.toLocaleString("en")} idle connections to /events`,
        value: `${kilobytes.toFixed(1)} kB`,
        bar: open10k < count ? { label: `${count} open`, isMet: false } : atMost(30, kilobytes, "kB"),
      },
      { what: "processor time for their heartbeats and sessions", value: `${(share * 100).toFixed(1)} % of a core` },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
    await meishi.stop();
  }
}

async function open({ url }: Program, cookie: string, network: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(
    `GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nX-Forwarded-For: 10.1.${network >> 8}.${network & 255}\r\n\r\n`,
  );
  const [head] = await once(socket, "data");
  if (!String(head).startsWith("HTTP/1.1 200 ")) throw new Error(String(head).slice(0, 200));
  socket.resume();
  return socket;
}
