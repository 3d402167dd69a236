import { execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

import { Client } from "pg";

import { environment } from "#app/services/config.server.ts";

type Server = { url: string; version: string; stop: () => Promise<void> };
type User = { uid: number; gid: number };

type Place = { programs: string; folder: string; password: string; user: User | undefined };

/** A PostgreSQL of our own on 127.0.0.1, or why there is none. It ends when this process does, however that ends. */
export async function startPostgres(): Promise<Server | { missing: string }> {
  const programs = findPrograms();
  if (!programs) return { missing: "initdb and postgres are not installed" };
  const user = findUser();
  if (user === "none") return { missing: "it refuses to run as root, and there is no user postgres or nobody" };
  const folder = mkdtempSync(join(user ? "/tmp" : tmpdir(), "meishi-postgres-"));
  try {
    const place = { programs, folder, user, password: randomBytes(12).toString("hex") };
    await initialize(place);
    return await serve(place);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return { missing: `it did not start: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The folder that holds the server's programs: on the PATH, or where Debian puts them. */
function findPrograms(): string | undefined {
  const folders = [
    ...(environment().PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed(),
  ];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** PostgreSQL refuses root: then it runs as another user. Undefined means as ourselves. */
function findUser(): User | undefined | "none" {
  if (process.getuid?.() !== 0) return undefined;
  const users = ["postgres", "nobody"].map((name) => ({ uid: idOf("-u", name), gid: idOf("-g", name) }));
  return users.find(({ uid, gid }) => uid > 0 && gid > 0) ?? "none";
}

/** 0 when there is no such user. */
function idOf(flag: string, name: string) {
  return Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout ?? 0);
}

async function initialize({ programs, folder, password, user }: Place) {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const options = ["--username=meishi", "--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"];
  const files = ["-D", join(folder, "data"), `--pwfile=${passwordFile}`];
  await promisify(execFile)(join(programs, "initdb"), [...files, ...options], { cwd: folder, ...user });
}

async function serve({ programs, folder, password, user }: Place): Promise<Server> {
  const port = await freePort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=200",
    "shared_buffers=32MB",
  ];
  const options = ["-D", join(folder, "data"), ...settings.flatMap((setting) => ["-c", setting])];
  const child = spawn("sh", ["-c", WATCH, folder, join(programs, "postgres"), ...options], {
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
 * Runs the server as long as somebody holds the other end of the input. That end closes with our process, also after kill -9,
 * so no server is left behind. Ctrl+C reaches the whole group: the server stops by itself, the shell stays to clean up.
 */
const WATCH = `
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
      // As long as it takes on a machine with much to do.
      if (tries === 600) throw error;
      await pause(100);
    } finally {
      await client.end();
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
