import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export const root = join(import.meta.dirname, "..");

/** A running program under measurement. */
export type Program = {
  url: string;
  pid: number;
  dataDir: string;
  startedInMs: number;
  child: ChildProcess;
  stop(): Promise<void>;
};

type StartOptions = {
  dataDir?: string;
  /** More settings. */
  environment?: Record<string, string>;
  /** A module that is loaded first and can exchange messages with `child`. */
  preload?: string;
};

/** Starts the built program with its own folder and port, on the first core only where `taskset` exists. */
export async function startMeishi({
  dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-")),
  preload,
  environment = {},
}: StartOptions = {}): Promise<Program> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const started = performance.now();
  const [command, ...args] = onCore(
    0,
    process.execPath,
    ...(preload ? ["--import", preload] : []),
    join(root, "build/server/main.js"),
  );
  const child = spawn(command ?? "", args, {
    env: { PATH: process.env["PATH"], ...startEnvironment, PORT: String(port), DATA_DIR: dataDir, ...environment },
    stdio: ["ignore", "ignore", "inherit", ...(preload ? ["ipc" as const] : [])],
  });
  await waitFor(`${url}/card/demo-card`);
  const startedInMs = performance.now() - started;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, pid: child.pid ?? 0, dataDir, startedInMs, child, stop };
}

/** As in scripts/start.mjs. */
const startEnvironment = { NODE_ENV: "production", MALLOC_ARENA_MAX: "2" };

/** Seconds of processor time, user and system, that a process has used (Linux, proc(5): fields 14 and 15, in ticks). */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The same of all child processes, those that have ended included (fields 16 and 17). */
export function childCpuSeconds(pid: number): number {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const fields = statFields(pid);
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  return ids.reduce((sum, id) => sum + cpuSeconds(Number(id)), ended);
}

function statFields(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
}

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** The command line that runs a program on one core, or on any without `taskset`. */
export function onCore(core: number, ...command: string[]): string[] {
  return findProgram("taskset") ? ["taskset", "-c", String(core), ...command] : command;
}

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Finds a program, or installs its Debian package when running as root. */
export function ensureProgram(name: string, debianPackage: string): string | undefined {
  const found = findProgram(name);
  if (found || process.getuid?.() !== 0 || !findProgram("apt-get")) return found;
  execFileSync("apt-get", ["install", "-y", "-qq", debianPackage], { stdio: ["ignore", "ignore", "inherit"] });
  return findProgram(name);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}

export async function waitFor(url: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const isUp = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.ok),
      () => false,
    );
    if (isUp) return;
    await pause(10);
  }
  throw new Error(`${url} does not respond.`);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]).toString()) || 100;
