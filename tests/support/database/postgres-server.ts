import { execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

import { Client } from "pg";
import type { TestProject } from "vitest/node";

import { environment } from "#app/services/config/config.server.ts";
import type { Engine } from "#app/services/database/database.server.ts";
import { freePort } from "#tests/support/program/free-port.ts";

type PostgresServer = { url: string; version: string; stop: () => Promise<void> };
type SystemUser = { uid: number; gid: number };

type PostgresFolder = { programs: string; folder: string; password: string; user: SystemUser | undefined };

/** Starts a PostgreSQL server on 127.0.0.1, or says why it can't. The server ends with this process, even after kill -9. */
export async function startPostgres(): Promise<PostgresServer | { missing: string }> {
  const programs = findPrograms();
  if (!programs) return { missing: "initdb and postgres are not installed" };
  const user = findUser();
  if (user === "none") return { missing: "it refuses to run as root, and there is no user postgres or nobody" };
  const folder = mkdtempSync(join(user ? "/tmp" : tmpdir(), "meishi-postgres-"));
  try {
    const cluster = { programs, folder, user, password: randomBytes(12).toString("hex") };
    await initialize(cluster);
    return await serve(cluster);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { missing: `it did not start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The folder with initdb and postgres: on the PATH, or where Debian installs them. */
function findPrograms(): string | undefined {
  const folders = [
    ...(environment().PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed(),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** PostgreSQL refuses to run as root. Undefined means: run as the current user. */
function findUser(): SystemUser | undefined | "none" {
  if (process.getuid?.() !== 0) return undefined;
  const users = ["postgres", "nobody"].map((name) => ({ uid: systemId("-u", name), gid: systemId("-g", name) }));
  return users.find(({ uid, gid }) => uid > 0 && gid > 0) ?? "none";
}

/** 0 for an unknown user. */
function systemId(flag: string, name: string) {
  return Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout ?? 0);
}

async function initialize({ programs, folder, password, user }: PostgresFolder) {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ["--username=meishi", "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"];
  const files = ["-D", join(folder, "data"), `--pwfile=${passwordFile}`];
  await promisify(execFile)(join(programs, "initdb"), [...files, ...options], { cwd: folder, ...user });
}

async function serve({ programs, folder, password, user }: PostgresFolder): Promise<PostgresServer> {
  const port = await freePort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "max_connections=200",
    "shared_buffers=32MB",
  ];
  const options = ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])];
  const child = spawn("sh", ["-c", watchScript, folder, join(programs, "postgres"), ...options], {
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"],
    ...user,
  });
  const ended = once(child, "exit");
  async function stop() {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
  const url = `postgres://meishi:${password}@127.0.0.1:${port}/postgres`;
  try {
    const version = await Promise.race([waitForVersion(url), ended.then(() => undefined)]);
    if (!version) throw new Error("it ended by itself");
    return { url, version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Runs the server until the other end of its input closes. That happens when our process ends, even after kill -9,
 * so no server is left running. Ctrl+C reaches the whole group: the server stops, the shell stays to clean up.
 */
const watchScript = `
  trap '' INT TERM HUP
  "$@" > "$0/log" 2>&1 &
  cat > /dev/null
  kill -INT $!
  wait $!
  rm -rf "$0"
`;

async function waitForVersion(url: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query<{ server_version: string }>("show server_version");
      return `PostgreSQL ${rows[0]?.server_version ?? ""}`;
    } catch (error) {
      // A busy machine needs up to a minute.
      if (tries === 600) throw error;
      await pause(100);
    } finally {
      await client.end();
    }
  }
}

/**
 * Vitest's globalSetup: one PostgreSQL for the whole run, in a temporary folder, gone when the run ends. TEST_POSTGRES=off leaves it
 * out.
 */
export default async function setup(project: TestProject) {
  const isOff = environment()["TEST_POSTGRES"] === "off";
  const server = isOff ? { missing: "switched off" } : await startPostgres();
  project.provide("postgres", "url" in server ? { url: server.url } : { missing: server.missing });
  return async () => {
    if ("url" in server) await server.stop();
    if (isOff) return;
    process.stdout.write(
      `\nDatabases: SQLite, ${"url" in server ? server.version : `no PostgreSQL (${server.missing})`}\n`,
    );
  };
}

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- extends an interface of vitest's
  export interface ProvidedContext {
    postgres: { url: string } | { missing: string };
    engines: Engine[];
  }
}
