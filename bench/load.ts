import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { cpuSeconds, onCore } from "./program.ts";

const run = promisify(execFile);

export type Load = { requestsPerSecond: number; cpuMicroseconds: number; requests: number };

type LoadTarget = { url: string; pid: number; headers?: Record<string, string>; seconds?: number; script?: string };

export const browserUserAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/**
 * Sends as many requests as a program can answer over 32 connections, by wrk on the second core. The cost of a request is the program's
 * processor time divided by the number of requests: it varies less than requests a second on a busy machine. `script` is a file in Lua
 * that chooses the paths.
 */
export async function load(wrk: string, { url, pid, headers = {}, seconds = 4, script }: LoadTarget): Promise<Load> {
  const all = { "accept-encoding": "gzip", "user-agent": browserUserAgent, ...headers };
  const options = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  if (script) options.push("-s", script);
  const before = cpuSeconds(pid);
  const [command, ...args] = onCore(
    1,
    wrk,
    "-t1",
    "-c32",
    `-d${seconds}s`,
    ...options,
    ...(script ? ["-s", script] : []),
    url,
  );
  const { stdout } = await run(command ?? "", args);
  const used = cpuSeconds(pid) - before;
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (/Non-2xx or 3xx responses/.test(stdout)) throw new Error(`${url} responded with errors:\n${stdout}`);
  if (!requests) throw new Error(`wrk counted no requests:\n${stdout}`);
  return { requestsPerSecond, requests, cpuMicroseconds: (used / requests) * 1e6 };
}
