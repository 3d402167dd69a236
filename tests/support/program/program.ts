import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { environment } from "#app/services/config/config.server.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { freePort } from "./free-port.ts";

const root = join(import.meta.dirname, "../../..");

export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Ends the program and removes its folder when the other end of the input closes, even after kill -9 of the process that holds it. */
const watchScript = `
  "$@" &
  cat > /dev/null
  kill -KILL $!
  wait $!
  rm -rf "$0"
`;

/**
 * The built program as its own process, as `npm start` runs it. `env` overrides a free port and a temporary DATA_DIR. With `logFile`
 * its log goes there and not to `output`. With `endsWithParent` it needs no `remove`; `pid` and `kill` then mean the shell around it.
 */
export async function startProgram(env: Record<string, string> = {}, { logFile = "", endsWithParent = false } = {}) {
  const port = env.PORT ?? String(await freePort());
  const dataDir = env.DATA_DIR ?? mkdtempSync(join(tmpdir(), "meishi-program-"));
  const settings = { PORT: port, DATA_DIR: dataDir, BASE_URL: `http://localhost:${port}`, ...env };
  const command = [process.execPath, join(root, "build/server/main.js")];
  const [file = "", ...args] = endsWithParent ? ["sh", "-c", watchScript, dataDir, ...command] : command;
  const child = spawn(file, args, {
    cwd: tmpdir(),
    env: { PATH: environment().PATH, NODE_ENV: "production", MALLOC_ARENA_MAX: "2", ...settings },
    stdio: [endsWithParent ? "pipe" : "ignore", logFile ? openSync(logFile, "a") : "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout?.on("data", (text: Buffer) => (output += text));
  child.stderr?.on("data", (text: Buffer) => (errors += text));
  const ended = once(child, "exit").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));

  /** Resolves with true once the program answers, with false when it exits before. */
  async function isUp(): Promise<boolean> {
    for (const end = Date.now() + 240_000; Date.now() < end; await pause(25)) {
      if (child.exitCode !== null || child.signalCode !== null) return false;
      const answers = await fetch(`http://localhost:${port}/healthz`).then(
        (response) => response.ok,
        () => false,
      );
      if (answers) return true;
    }
    throw new Error(`The program does not answer:\n${output}\n${errors}`);
  }

  return {
    url: settings.BASE_URL,
    port: Number(port),
    pid: child.pid ?? 0,
    dataDir,
    ended,
    isUp,
    output: () => output,
    errors: () => errors,
    kill: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
    /** Kills the program and removes its folder. */
    remove: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same, up, until the end of the test. */
export async function runProgram(...of: Parameters<typeof startProgram>): Promise<Program> {
  const program = await startProgram(...of);
  cleanUpAfterTest(program.remove);
  if (!(await program.isUp())) throw new Error(program.errors());
  return program;
}

/** The memory of a program; 0 on a system without /proc. */
export function residentBytes({ pid }: Program): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
