import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { cpuSeconds, onCore } from "./program.ts";

const run = promisify(execFile);

export type Load = { requestsPerSecond: number; cpuMicroseconds: number; requests: number };

type Target = { url: string; pid: number; headers?: Record<string, string>; seconds?: number };

export const browser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/**
 * As many requests as a program answers from 32 connections, sent by wrk from the second core. What one request costs is the
 * program's own processor time by their number: it holds still where requests a second swing with the machine's other work.
 */
export async function load(wrk: string, { url, pid, headers = {}, seconds = 4 }: Target): Promise<Load> {
  const all = { "accept-encoding": "gzip", "user-agent": browser, ...headers };
  const options = Object.entries(all).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const before = cpuSeconds(pid);
  const [command, ...args] = onCore(1, wrk, "-t1", "-c32", `-d${seconds}s`, ...options, url);
  const { stdout } = await run(command ?? "", args);
  const used = cpuSeconds(pid) - before;
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (/Non-2xx or 3xx responses/.test(stdout)) throw new Error(`${url} answered with errors:\n${stdout}`);
  if (!requests) throw new Error(`wrk counted nothing:\n${stdout}`);
  return { requestsPerSecond, requests, cpuMicroseconds: (used / requests) * 1e6 };
}
