import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { freePort } from "#tests/support/program/free-port.ts";

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find(existsSync);

export const hasPgbouncer = program !== undefined;

/** Starts PgBouncer in transaction mode in front of a database; returns the database's address through it. */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = mkdtempSync("/tmp/meishi-pgbouncer-");
  const ownPort = await freePort();
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${ownPort}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 8",
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, settings.join("\n"));
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  const child = spawn(program ?? "", ["-q", ...user, file], { stdio: "ignore" });
  const ended = once(child, "exit");
  cleanUpAfterTest(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await isListening(ownPort))) {
    if (child.exitCode !== null) throw new Error("pgbouncer ended by itself");
    await pause(10);
  }
  return `postgres://${username}:x@127.0.0.1:${ownPort}${pathname}`;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const outcome = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}
